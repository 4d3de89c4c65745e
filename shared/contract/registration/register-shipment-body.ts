import { z } from 'zod';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';
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

/**
 * Reads an untrusted body. Checks its shape only: core checks what it means, and names the mistakes in both at once.
 * Never throws.
 */
export function parseRegisterShipmentBody(body: unknown): SentRegistration {
  const result = registerShipmentBody.safeParse(body);
  if (!result.success) return readableParts(body, result.error);
  const { data } = result;
  return {
    transportMode: data.transport_mode,
    carrier: data.carrier,
    identifiers: data.identifiers,
    serviceType: data.service_type ?? null,
    reference: data.reference ?? null,
    tags: [...new Set(data.tags ?? [])],
    metadata: data.metadata ?? {},
    destinationPostalCode: data.destination_postal_code ?? null,
  };
}

/** What can be read of a malformed body, so that the mistakes in the rest are named, too. */
function readableParts(body: unknown, error: z.ZodError): SentRegistration {
  const raw = isRecord(body) ? body : {};
  return {
    transportMode: transportModes.find((known) => known === raw.transport_mode) ?? null,
    carrier: typeof raw.carrier === 'string' ? raw.carrier : null,
    identifiers: isRecord(raw.identifiers) && hasReadableSize(raw.identifiers) ? raw.identifiers : null,
    serviceType: raw.service_type === 'ltl' || raw.service_type === 'ftl' ? raw.service_type : null,
    reference: null,
    tags: [],
    metadata: {},
    destinationPostalCode: null,
    mistakes: bodyMistakes(error, body, Object.keys(registerShipmentBody.shape)),
  };
}

function hasReadableSize(identifiers: Record<string, unknown>): boolean {
  return Object.keys(identifiers).length <= mostIdentifiers;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
