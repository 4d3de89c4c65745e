import { z } from 'zod';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { staleAfterHoursRange } from '#shared/domain/events-in/pushed-tracking.ts';
import { allReferences } from '#shared/domain/record/references.ts';
import { trackingModes } from '#shared/domain/record/shipment.ts';
import { nothingStated, type StatedFields, type StatedName } from '#shared/domain/record/stated-fields.ts';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import { bodyMistakes } from '../input/parse-body.ts';
import { plainText } from '../input/plain-text.ts';
import { hasReadableSize, rawIdentifiers } from '../record/client-fields.ts';
import { readStated, statedShape } from '../record/stated-inputs.ts';

/** The body of a registration. Which identifiers a transport mode has is decided by the domain, not by this schema. */
export const registerShipmentBody = z.strictObject({
  transport_mode: z.enum(transportModes).meta({ description: 'Transport mode.', examples: ['ocean'] }),
  carrier: plainText({ max: 64 }).meta({
    description:
      'Carrier code: SCAC (ocean, road, rail), IATA code or air waybill prefix, or slug (parcel). Names are accepted ' +
      'too. GET /v1/carriers lists them.',
    examples: ['MAEU'],
  }),
  identifiers: rawIdentifiers.meta({
    description:
      'Identifiers of the shipment. At least one must be trackable. Ocean: mbl, booking, container; reference only: ' +
      'hbl. Air: awb; reference only: hawb. Parcel: tracking_number. Road: pro, bol, and equipment with service_type ' +
      'ftl; reference only: pickup_number, po. Rail: container, waybill, railcar; reference only: bol, mbl. Aliases ' +
      'such as mbl_number and mawb are accepted. A wrong check digit and the prefix of another carrier are warnings, ' +
      'not errors. With a test key, use a TEST- number such as TEST-DELIVERED.',
    examples: [{ mbl: 'MAEU123456789' }],
  }),
  service_type: z
    .enum(['ltl', 'ftl'])
    .nullish()
    .meta({ description: 'Road only: less than truckload, or full truckload.', examples: ['ltl'] }),
  ...statedShape('registration'),
  tracking: z
    .strictObject({
      mode: z.enum(trackingModes).meta({
        description:
          '`polled` (default): Landfall polls the carrier. `pushed`: Landfall doesn’t poll, and your sources push the events. ' +
          'Any carrier of the catalogue is allowed then, such as `OWN` for your own trucks and trains.',
        examples: ['pushed'],
      }),
      stale_after_hours: z
        .int()
        .min(staleAfterHoursRange.min)
        .max(staleAfterHoursRange.max)
        .nullish()
        .meta({
          description: `Of \`pushed\`: hours without events after which the shipment is stale. Default: ${staleAfterHoursRange.usual}.`,
          examples: [24],
        }),
    })
    .refine(({ mode, stale_after_hours: hours }) => mode === 'pushed' || hours == null, {
      path: ['stale_after_hours'],
      error: 'is only allowed with mode pushed.',
      params: { code: 'not_allowed' },
    })
    .nullish()
    .meta({ description: 'Where the events come from.', examples: [{ mode: 'pushed' }] }),
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
    ...orNothing(readStated(data)),
    staleAfterHours:
      data.tracking?.mode === 'pushed' ? (data.tracking.stale_after_hours ?? staleAfterHoursRange.usual) : null,
  };
}

/** Each tag and reference once. */
function orNothing({ tags, ...sent }: { [Name in StatedName]?: StatedFields[Name] | null | undefined }): StatedFields {
  const stated = Object.entries(sent).filter(([, value]) => value !== undefined && value !== null);
  const references = allReferences(sent.reference, sent.references);
  return {
    ...nothingStated,
    ...Object.fromEntries(stated),
    reference: references[0] ?? null,
    references,
    tags: [...new Set(tags)],
  };
}

/** The readable parts of a malformed body, so that their mistakes are reported too. */
function readableParts(body: unknown, error: z.ZodError): SentRegistration {
  const raw = isRecord(body) ? body : {};
  return {
    transportMode: transportModes.find((known) => known === raw.transport_mode) ?? null,
    carrier: typeof raw.carrier === 'string' ? raw.carrier : null,
    identifiers: isRecord(raw.identifiers) && hasReadableSize(raw.identifiers) ? raw.identifiers : null,
    serviceType: raw.service_type === 'ltl' || raw.service_type === 'ftl' ? raw.service_type : null,
    ...nothingStated,
    staleAfterHours: isRecord(raw.tracking) && raw.tracking.mode === 'pushed' ? staleAfterHoursRange.usual : null,
    mistakes: bodyMistakes(error, body, Object.keys(registerShipmentBody.shape)),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
