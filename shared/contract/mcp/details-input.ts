import { z } from 'zod';
import { LandfallError } from '#shared/domain/errors.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { identifierKeys } from '#shared/domain/record/shipment.ts';
import { type LookupType, lookupTypes, matchValue } from '#shared/domain/registration/identifiers.ts';
import { refusal } from '../input/input-mistakes.ts';
import { isPlain, plainTextMessage } from '../input/plain-text.ts';
import { filterFields } from '../lists/filter-fields.ts';
import { parseToolArguments } from './tool-arguments.ts';

/** Arguments whose names state the type of the number. */
export const namedNumbers = ['shipment_id', 'tracking_number', 'bol', 'awb', 'container'] as const;
export const detailsFormats = ['concise', 'detailed'] as const;

/** Copied numbers may contain invisible characters. */
const number = z
  .string()
  .refine(isPlain, { error: plainTextMessage, params: { code: 'invalid_text' } })
  .transform((text) => text.replace(/\p{Cf}/gu, '').trim())
  .pipe(z.string().min(1).max(120));

/** The input of the MCP tool `get_shipment_details`. */
export const detailsToolInput = z.strictObject({
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

/** Parses the arguments of the tool; carriers stay as sent. Throws one LandfallError that names every mistake. */
export function parseDetailsToolInput(args: Readonly<Record<string, unknown>>): DetailsRequest {
  const type = args.identifier_type;
  const input = parseWithNumber({
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
    throw refuse('identifier', `Send one number only: ${names.join(' and ')} differ.`);
  }
  const [kind, another] = named;
  const namedType = kind === undefined || another !== undefined ? 'auto' : kind;
  if (namedType !== 'auto' && askedType !== 'auto' && askedType !== namedType)
    throw refuse('identifier_type', `identifier_type ${askedType} contradicts the argument ${namedType}.`);
  return {
    identifier,
    identifierType: namedType === 'auto' ? askedType : namedType,
    carrier: carrier ?? null,
    transportMode: transportMode ?? null,
    format,
  };
}

const missing = `identifier is required: any number of the shipment, or one of ${namedNumbers.join(', ')}.`;

/** A missing number is reported together with the other mistakes. */
function parseWithNumber(args: Readonly<Record<string, unknown>>): z.output<typeof detailsToolInput> {
  try {
    return parseToolArguments(detailsToolInput, args);
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

/** Accepts the identifier keys of the record as types too: `mbl` is a bill of lading, `booking` any number. */
function lookupTypeOf(text: string): string {
  const sought = matchValue(text).replaceAll('_', '').toLowerCase();
  const isNamed = (name: string) => name.replaceAll('_', '') === sought;
  if (lookupTypes.some(isNamed)) return text;
  if (sought === 'mbl' || sought === 'hbl') return 'bol';
  if (sought === 'hawb' || sought === 'mawb') return 'awb';
  return identifierKeys.some(isNamed) ? 'tracking_number' : text;
}
