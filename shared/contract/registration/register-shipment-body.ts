import { z } from 'zod';
import {
  type Carrier,
  carriers,
  connectorFor,
  findCarrier,
  nearestCarrier,
} from '#shared/domain/carriers/carrier-catalogue.ts';
import { type ErrorCode, type InputMistake, LandfallError } from '#shared/domain/errors.ts';
import { type ParsedIdentifiers, parseIdentifiers, trackableKeysOf } from '#shared/domain/registration/identifiers.ts';
import type { Registration, Warning } from '#shared/domain/shipments/shipment.ts';
import { type TransportMode, transportModes } from '#shared/domain/shipments/transport-mode.ts';
import type { ParseContext } from '../operation.ts';
import { bodyMistakes } from '../parse-body.ts';
import { isPlain, plainText } from '../plain-text.ts';

const longestMetadataBytes = 4096;
const mostIdentifiers = 20;

const metadata = z
  .record(z.string(), z.string())
  .refine((value) => Object.keys(value).length <= 20, {
    error: 'may have at most 20 keys',
    params: { code: 'too_long' },
  })
  .refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= longestMetadataBytes, {
    error: 'may have at most 4 KB',
    params: { code: 'too_long' },
  })
  .refine((value) => Object.entries(value).flat().every(isPlain), {
    error: 'must not contain control characters or broken Unicode',
    params: { code: 'invalid_text' },
  });

/** The body of a registration. Which identifiers a mode takes is decided by the domain, not by this schema. */
export const registerShipmentBody = z.strictObject({
  transport_mode: z.enum(transportModes).meta({ description: 'How the cargo travels.', examples: ['ocean'] }),
  carrier: plainText({ max: 64 }).meta({
    description:
      'Carrier code: SCAC (ocean, road, rail), IATA code or air waybill prefix, or slug (parcel); names work too. GET /v1/carriers lists them.',
    examples: ['MAEU'],
  }),
  identifiers: z
    .record(z.string(), z.unknown())
    .refine(hasReadableSize, { error: `may have at most ${mostIdentifiers} entries`, params: { code: 'too_long' } })
    .meta({
      description:
        'Numbers of the shipment, at least one of which the carrier can be asked about. Ocean: mbl, booking, container; reference only: hbl. ' +
        'Air: awb; reference only: hawb. Parcel: tracking_number. Road: pro, bol, and equipment with service_type ftl; reference only: ' +
        'pickup_number, po. Rail: container, waybill, railcar; reference only: bol, mbl. Names such as mbl_number and mawb work too. A check digit ' +
        'that does not fit is a warning. With a test key: a TEST- number, as in TEST-DELIVERED.',
      examples: [{ mbl: 'MAEU123456789' }],
    }),
  service_type: z
    .enum(['ltl', 'ftl'])
    .nullish()
    .meta({ description: 'For road only: less than a truckload, or a full one.', examples: ['ltl'] }),
  reference: plainText({ max: 255 })
    .nullish()
    .meta({ description: 'Your own id, unique in your account.', examples: ['PO-7741'] }),
  tags: z
    .array(plainText({ max: 64 }))
    .max(20)
    .nullish()
    .meta({ description: 'Up to 20 words of yours to filter by.', examples: [['acme', 'urgent']] }),
  metadata: metadata.nullish().meta({
    description: 'Up to 20 texts of yours, 4 KB together; given back as they are.',
    examples: [{ buyer: 'acme' }],
  }),
  destination_postal_code: plainText({ max: 16 })
    .nullish()
    .meta({ description: 'Postal code of the receiver, which some parcel carriers ask for.', examples: ['10115'] }),
});

type RegisterShipmentBody = z.infer<typeof registerShipmentBody>;

/**
 * Reads an untrusted body. Throws one LandfallError that names every mistake at once: `validation_failed` or `unknown_field` when the body
 * is malformed, else `carrier_not_supported`, `identifier_mode_mismatch` or `identifier_not_trackable`.
 * `test`: a test key may use any carrier of the catalogue and `TEST-` numbers, a live key may not.
 */
export function parseRegisterShipmentBody(
  body: unknown,
  options: Pick<ParseContext, 'test'>,
): { registration: Registration; warnings: Warning[] } {
  const schemaResult = registerShipmentBody.safeParse(body);
  const mistakes = schemaResult.success
    ? []
    : bodyMistakes(schemaResult.error, body, Object.keys(registerShipmentBody.shape));

  const raw = isRecord(body) ? body : {};
  const mode = transportModes.find((known) => known === raw.transport_mode) ?? null;
  const serviceType = raw.service_type === 'ltl' || raw.service_type === 'ftl' ? raw.service_type : null;
  const carrier = typeof raw.carrier === 'string' ? findCarrier(raw.carrier) : null;
  const parsed =
    mode !== null && isRecord(raw.identifiers) && hasReadableSize(raw.identifiers)
      ? parseIdentifiers(mode, raw.identifiers, { serviceType, test: options.test, carrier: carrier?.code ?? null })
      : null;

  if (mode !== null && mode !== 'road' && serviceType !== null) {
    mistakes.push({
      pointer: '/service_type',
      code: 'not_allowed',
      detail: `service_type is for road, not for ${mode}`,
    });
  }
  mistakes.push(...(parsed?.mistakes ?? []));
  if (typeof raw.carrier === 'string' && raw.carrier.trim() !== '' && mode !== null) {
    mistakes.push(...carrierMistakes(raw.carrier, { carrier, mode, test: options.test }));
  }
  if (mode !== null && parsed !== null) mistakes.push(...trackableMistakes(mode, parsed));

  if (mistakes.length > 0 || !schemaResult.success || carrier === null || parsed === null) throw refusal(mistakes);
  return { registration: toRegistration(schemaResult.data, carrier, parsed), warnings: parsed.warnings };
}

type ChosenCarrier = { carrier: Carrier | null; mode: TransportMode; test: boolean };

function carrierMistakes(sent: string, chosen: ChosenCarrier): InputMistake[] {
  const { carrier, mode, test } = chosen;
  const refuse = (detail: string): InputMistake[] => [{ pointer: '/carrier', code: 'carrier_not_supported', detail }];
  if (carrier === null) {
    const nearest = nearestCarrier(sent);
    const hint = nearest === null ? followedCarriers(mode) : `did you mean ${nearest.code} (${nearest.name})?`;
    return refuse(`${sent.trim().slice(0, 64)} is not a known carrier; ${hint}`);
  }
  if (test) return [];
  if (!carrier.modes.includes(mode)) return refuse(`${carrier.name} (${carrier.code}) does not carry by ${mode}`);
  return carrier.connector === null ? refuse(`${carrier.name} (${carrier.code}) cannot be followed yet`) : [];
}

function followedCarriers(mode: TransportMode): string {
  const codes = carriers.filter((carrier) => connectorFor(carrier.code, mode) !== null).map((carrier) => carrier.code);
  return codes.length === 0
    ? `no carrier can be followed by ${mode} yet`
    : `by ${mode} these can be followed: ${codes.join(', ')}`;
}

function trackableMistakes(mode: TransportMode, parsed: ParsedIdentifiers): InputMistake[] {
  if (parsed.trackable || parsed.mistakes.length > 0) return [];
  const needed = trackableKeysOf(mode).join(', ');
  const pointer = '/identifiers';
  if (Object.keys(parsed.identifiers).length === 0) {
    return [{ pointer, code: 'required', detail: `identifiers needs at least one of ${needed}` }];
  }
  return [
    {
      pointer,
      code: 'identifier_not_trackable',
      detail: `No carrier can be asked about these alone; add one of ${needed}`,
    },
  ];
}

const refusedAfterReading = ['carrier_not_supported', 'identifier_mode_mismatch', 'identifier_not_trackable'] as const;

function refusal(mistakes: InputMistake[]): LandfallError {
  const codes = new Set(mistakes.map((mistake) => mistake.code));
  const isReadable = [...codes].every((code) => refusedAfterReading.some((known) => known === code));
  let code: ErrorCode = 'validation_failed';
  if (isReadable) code = refusedAfterReading.find((known) => codes.has(known)) ?? code;
  else if (codes.size === 1 && codes.has('unknown_field')) code = 'unknown_field';
  const decisive = mistakes.find((mistake) => mistake.code === code) ?? mistakes[0];
  const detail =
    mistakes.length === 1 || isReadable
      ? decisive?.detail
      : mistakes
          .map((mistake) => mistake.detail)
          .slice(0, 5)
          .join('; ');
  return new LandfallError(code, detail ?? 'The body is not valid', { mistakes });
}

function toRegistration(body: RegisterShipmentBody, carrier: Carrier, parsed: ParsedIdentifiers): Registration {
  return {
    transportMode: body.transport_mode,
    carrier: carrier.code,
    identifiers: parsed.identifiers,
    serviceType: body.service_type ?? null,
    reference: body.reference ?? null,
    tags: [...new Set(body.tags ?? [])],
    metadata: body.metadata ?? {},
    destinationPostalCode: body.destination_postal_code ?? null,
  };
}

function hasReadableSize(identifiers: Record<string, unknown>): boolean {
  return Object.keys(identifiers).length <= mostIdentifiers;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
