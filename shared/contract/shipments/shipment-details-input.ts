import { z } from 'zod';
import { LandfallError } from '#shared/domain/errors.ts';
import { type LookupType, lookupTypes, matchValue } from '#shared/domain/registration/identifiers.ts';
import { identifierKeys } from '#shared/domain/shipments/shipment.ts';
import type { TransportMode } from '#shared/domain/shipments/transport-mode.ts';
import { refusal } from '../input-mistakes.ts';
import { isPlain } from '../plain-text.ts';
import { filterFields } from './filter-fields.ts';
import { readToolArguments } from './tool-arguments.ts';

/** Arguments whose names say the kind of the number themselves. */
export const namedNumbers = ['shipment_id', 'tracking_number', 'bol', 'awb', 'container'] as const;
export const detailsFormats = ['concise', 'detailed'] as const;

/** Copied numbers bring invisible characters with them. */
const number = z
  .string()
  .refine(isPlain, { error: 'must not contain control characters or broken Unicode', params: { code: 'invalid_text' } })
  .transform((text) => text.replace(/\p{Cf}/gu, '').trim())
  .pipe(z.string().min(1).max(120));

/** The input of the MCP tool `get_shipment_details`. */
export const shipmentDetailsToolInput = z.strictObject({
  identifier: number.optional(),
  identifier_type: z.enum(lookupTypes).default('auto'),
  shipment_id: number.optional(),
  tracking_number: number.optional(),
  bol: number.optional(),
  awb: number.optional(),
  container: number.optional(),
  carrier: filterFields.carrier,
  transport_mode: filterFields.transport_mode,
  response_format: z.enum(detailsFormats).default('concise'),
});

export type DetailsRequest = {
  identifier: string;
  identifierType: LookupType;
  carrier: string[] | null;
  transportMode: TransportMode[] | null;
  format: (typeof detailsFormats)[number];
};

/** Reads the arguments of the MCP tool; carriers as they were sent. Throws one LandfallError that names every mistake. */
export function parseShipmentDetailsInput(args: Readonly<Record<string, unknown>>): DetailsRequest {
  const type = args.identifier_type;
  const input = readWithNumber({
    ...args,
    ...(typeof type === 'string' ? { identifier_type: lookupTypeOf(type) } : {}),
  });
  const { identifier_type: askedType, carrier, transport_mode: transportMode, response_format: format } = input;
  const named = namedNumbers.filter((name) => input[name] !== undefined);
  const values = ['identifier' as const, ...named].flatMap((name) => input[name] ?? []);
  const [identifier] = values;
  if (identifier === undefined) throw refuse('identifier', missing);
  if (values.some((value) => matchValue(value) !== matchValue(identifier))) {
    const names = [...(input.identifier === undefined ? [] : ['identifier']), ...named];
    throw refuse('identifier', `give one number: ${names.join(' and ')} differ`);
  }
  const [kind, another] = named;
  const namedType = kind === undefined || another !== undefined ? 'auto' : kind;
  if (namedType !== 'auto' && askedType !== 'auto' && askedType !== namedType)
    throw refuse('identifier_type', `identifier_type ${askedType} contradicts the argument ${namedType}`);
  return {
    identifier,
    identifierType: namedType === 'auto' ? askedType : namedType,
    carrier: carrier ?? null,
    transportMode: transportMode ?? null,
    format,
  };
}

const missing = `identifier is required: any number of the shipment (or one of ${namedNumbers.join(', ')})`;

/** A missing number is named together with the other mistakes. */
function readWithNumber(args: Readonly<Record<string, unknown>>): z.output<typeof shipmentDetailsToolInput> {
  try {
    return readToolArguments(shipmentDetailsToolInput, args);
  } catch (error) {
    const isGiven = ['identifier', ...namedNumbers].some(
      (name) => args[name] !== undefined && args[name] !== null && args[name] !== '',
    );
    if (isGiven || !(error instanceof LandfallError)) throw error;
    throw refusal([...error.mistakes, { pointer: '/identifier', code: 'required', detail: missing }]);
  }
}

function refuse(name: string, detail: string): LandfallError {
  return refusal([{ pointer: `/${name}`, code: 'invalid_value', detail }]);
}

/** The record's own names of numbers are understood as kinds too: `mbl` is a bill of lading, `booking` any number. */
function lookupTypeOf(text: string): string {
  const sought = matchValue(text).replaceAll('_', '').toLowerCase();
  const isNamed = (name: string) => name.replaceAll('_', '') === sought;
  if (lookupTypes.some(isNamed)) return text;
  if (sought === 'mbl' || sought === 'hbl') return 'bol';
  if (sought === 'hawb' || sought === 'mawb') return 'awb';
  return identifierKeys.some(isNamed) ? 'tracking_number' : text;
}
