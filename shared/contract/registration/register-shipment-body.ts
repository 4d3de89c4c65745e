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
import { joinDetails } from '../input-mistakes.ts';
import type { ParseContext } from '../operation.ts';
import { bodyMistakes } from '../parse-body.ts';
import { plainText } from '../plain-text.ts';
import { hasReadableSize, metadataOf, rawIdentifiers } from '../shipments/client-fields.ts';

/** The body of a registration. Which identifiers a transport mode has is decided by the domain, not by this schema. */
export const registerShipmentBody = z.strictObject({
  transport_mode: z.enum(transportModes).meta({ description: 'Transport mode.', examples: ['ocean'] }),
  carrier: plainText({ max: 64 }).meta({
    description:
      'Carrier code: SCAC (ocean, road, rail), IATA code or air waybill prefix, or slug (parcel). Names are ' +
      'accepted too. GET /v1/carriers lists them.',
    examples: ['MAEU'],
  }),
  identifiers: rawIdentifiers.meta({
    description:
      'Identifiers of the shipment. At least one must be trackable. Ocean: mbl, booking, container; reference only: ' +
      'hbl. ' +
      'Air: awb; reference only: hawb. Parcel: tracking_number. Road: pro, bol, and equipment with service_type ftl; ' +
      'reference only: ' +
      'pickup_number, po. Rail: container, waybill, railcar; reference only: bol, mbl. Aliases such as mbl_number ' +
      'and mawb are accepted. A wrong ' +
      'check digit is a warning, not an error. With a test key, use a TEST- number such as TEST-DELIVERED.',
    examples: [{ mbl: 'MAEU123456789' }],
  }),
  service_type: z
    .enum(['ltl', 'ftl'])
    .nullish()
    .meta({ description: 'Road only: less than truckload, or full truckload.', examples: ['ltl'] }),
  reference: plainText({ max: 255 })
    .nullish()
    .meta({ description: 'Your reference, unique in your account.', examples: ['PO-7741'] }),
  tags: z
    .array(plainText({ max: 64 }))
    .max(20)
    .nullish()
    .meta({ description: 'Up to 20 tags to filter by.', examples: [['acme', 'urgent']] }),
  metadata: metadataOf(z.string())
    .nullish()
    .meta({
      description: 'Up to 20 key–value pairs, 4 KB in total. Returned unchanged.',
      examples: [{ buyer: 'acme' }],
    }),
  destination_postal_code: plainText({ max: 16 })
    .nullish()
    .meta({
      description: 'Postal code of the consignee, which some parcel carriers require.',
      examples: ['10115'],
    }),
});

type RegisterShipmentBody = z.infer<typeof registerShipmentBody>;

/**
 * Parses an untrusted body. Throws one LandfallError that names every mistake: `validation_failed` or `unknown_field`
 * if the body is malformed, else `carrier_not_supported`, `identifier_mode_mismatch` or `identifier_not_trackable`.
 * `test`: test keys may use any carrier of the catalogue and `TEST-` numbers; live keys may not.
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
      detail: `service_type is only allowed for road, not for ${mode}.`,
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
    const hint = nearest === null ? supportedCarriers(mode) : `Did you mean ${nearest.code} (${nearest.name})?`;
    return refuse(`Unknown carrier: ${sent.trim().slice(0, 64)}. ${hint}`);
  }
  if (test) return [];
  if (!carrier.modes.includes(mode)) return refuse(`${carrier.name} (${carrier.code}) does not operate in ${mode}.`);
  return carrier.connector === null ? refuse(`${carrier.name} (${carrier.code}) is not supported yet.`) : [];
}

function supportedCarriers(mode: TransportMode): string {
  const codes = carriers.filter((carrier) => connectorFor(carrier.code, mode) !== null).map((carrier) => carrier.code);
  return codes.length === 0
    ? `No carrier is supported for ${mode} yet.`
    : `Supported for ${mode}: ${codes.join(', ')}.`;
}

function trackableMistakes(mode: TransportMode, parsed: ParsedIdentifiers): InputMistake[] {
  if (parsed.trackable || parsed.mistakes.length > 0) return [];
  const needed = trackableKeysOf(mode).join(', ');
  const pointer = '/identifiers';
  if (Object.keys(parsed.identifiers).length === 0) {
    return [{ pointer, code: 'required', detail: `identifiers must contain at least one of ${needed}.` }];
  }
  const detail = `Carriers cannot be queried by these identifiers. Add one of ${needed}.`;
  return [{ pointer, code: 'identifier_not_trackable', detail }];
}

const refusedAfterReading = ['carrier_not_supported', 'identifier_mode_mismatch', 'identifier_not_trackable'] as const;

function refusal(mistakes: InputMistake[]): LandfallError {
  const codes = new Set(mistakes.map((mistake) => mistake.code));
  const isReadable = [...codes].every((code) => refusedAfterReading.some((known) => known === code));
  let code: ErrorCode = 'validation_failed';
  if (isReadable) code = refusedAfterReading.find((known) => codes.has(known)) ?? code;
  else if (codes.size === 1 && codes.has('unknown_field')) code = 'unknown_field';
  const decisive = isReadable ? mistakes.filter((mistake) => mistake.code === code).slice(0, 1) : mistakes;
  return new LandfallError(code, joinDetails(decisive), { mistakes });
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
