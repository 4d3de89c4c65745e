import { z } from 'zod';
import { identifierKeys } from '#shared/domain/shipments/shipment.ts';
import { eventCodes } from '#shared/domain/tracking/event.ts';

/** Our own clock: an instant in UTC. */
export function instant(description: string) {
  return z.iso.datetime().meta({ description, examples: ['2026-04-15T00:00:00.000Z'] });
}

/** An instant of our own clock that may not be there. */
export function instantOrNull(description: string) {
  return z.iso
    .datetime()
    .nullable()
    .meta({ description, examples: ['2026-04-15T00:00:00.000Z'] });
}

/** A list that grows: clients must accept values that are not in it. */
export function openEnum(values: readonly string[], description: string) {
  return z.string().meta({
    description: `${description} Open: accept new values. Known: ${values.join(', ')}.`,
    examples: values.slice(0, 1),
  });
}

/** Free text, or null where nothing is known. */
export function textOrNull(description: string, ...examples: string[]) {
  return z
    .string()
    .nullable()
    .meta({ description, ...(examples.length > 0 ? { examples } : {}) });
}

export const wireTime = z
  .strictObject({
    at: z.iso.datetime().meta({
      description:
        'The instant in UTC. A date without a clock time stands at noon UTC, so that it never shifts by a day.',
      examples: ['2026-04-15T00:00:00.000Z'],
    }),
    local: z.string().meta({
      description: 'The clock where it happened, without an offset; a date alone when `precision` is `date`.',
      examples: ['2026-04-15T08:00', '2026-04-15'],
    }),
    timezone: textOrNull('IANA name of the zone of `local`; null when it is not known.', 'Asia/Shanghai'),
    zone_source: openEnum(
      ['carrier', 'location', 'assumed_utc'],
      'How the zone is known: the carrier gave it, the place has it, or UTC was assumed.',
    ),
    precision: openEnum(['date', 'minute', 'second'], 'How exactly the carrier told the time.'),
  })
  .meta({ description: 'A time of the carrier: the instant, the local clock and how both are known.' });

/** A carrier's time that may not be known. */
export function timeOrNull(description: string) {
  return wireTime.nullable().meta({ description });
}

export const wirePlace = z
  .strictObject({
    name: textOrNull('The name as the carrier writes it, or that of the UN/LOCODE.', 'Rotterdam'),
    unlocode: textOrNull('UN/LOCODE, 5 characters.', 'NLRTM'),
    iata: textOrNull('IATA code of an airport or city.', 'AMS'),
    country: textOrNull('ISO 3166-1 alpha-2.', 'NL'),
    lat: z
      .number()
      .nullable()
      .meta({ description: 'Latitude in degrees (WGS 84), north positive.', examples: [51.95] }),
    lng: z
      .number()
      .nullable()
      .meta({ description: 'Longitude in degrees (WGS 84), east positive.', examples: [4.13] }),
    timezone: textOrNull('IANA name of the zone.', 'Europe/Amsterdam'),
    facility: textOrNull('The terminal, depot, ramp or hub within the place.', 'ECT Delta'),
  })
  .meta({ description: 'A place; every part may be unknown.' });

/** A place that may not be known. */
export function placeOrNull(description: string) {
  return wirePlace.nullable().meta({ description });
}

export const wireVehicle = z
  .strictObject({
    name: textOrNull('Name of the vessel.', 'Ever Given'),
    imo: textOrNull('IMO number of the vessel.', '9811000'),
    voyage: textOrNull('Voyage number of the carrier.', '123W'),
    flight: textOrNull('Flight number.', 'KL0895'),
  })
  .meta({ description: 'What carries the cargo; every part may be unknown.' });

/** A vehicle that may not be known. */
export function vehicleOrNull(description: string) {
  return wireVehicle.nullable().meta({ description });
}

export const wireTimes = z
  .strictObject({
    planned: timeOrNull('As first scheduled by the carrier.'),
    estimated: timeOrNull('The latest estimate.'),
    actual: timeOrNull('When it happened; null until then.'),
  })
  .meta({ id: 'Times', description: 'One happening as planned, as estimated and as it was.' });

export const eventFlags = ['suspect_future', 'voided', 'superseded'] as const;

export const eventFields = {
  event_id: z.string().meta({
    description: 'The id of the event: `evt_` and 26 characters.',
    examples: ['evt_01h455vb4pex5vsknk084sn02q'],
  }),
  code: openEnum(eventCodes, 'What happened, in the same words for every mode.'),
  classifier: openEnum(['planned', 'estimated', 'actual'], 'Only actual events move the status.'),
  time: wireTime,
  location: placeOrNull('Where; null when the carrier does not say.'),
  leg_role: openEnum(
    ['origin', 'pol', 'transshipment', 'pod', 'destination', 'inland', 'unknown'],
    'Where on the journey: the place of receipt, the port of loading, of transshipment, of discharge, the final place, in between.',
  ),
  container: textOrNull('The container it is about; null: the whole shipment.', 'CSQU3054383'),
  leg: z
    .int()
    .nullable()
    .meta({ description: 'The `sequence` of the leg it belongs to; null when it belongs to none.', examples: [1] }),
  vehicle: vehicleOrNull('The vessel or flight; null when the carrier does not say.'),
  description: textOrNull('What happened, in words, where the carrier gives any.'),
  carrier_code: textOrNull('The carrier’s own code.', 'DEPA'),
  carrier_description: textOrNull('The carrier’s own words about its code.'),
  source: openEnum(['carrier', 'client', 'test'], 'Who says so.'),
  received_at: instant('When we received it.'),
  superseded_by: textOrNull(
    'The id of the event that took its place; null while it is current.',
    'evt_01h455vb4pex5vsknk084sn02q',
  ),
  flags: z.array(openEnum(eventFlags, 'Why the event does not count.')).meta({
    description:
      'Empty for an event that counts. `suspect_future`: it claims to have happened more than 24 hours from now, and counts when that is so no longer.',
    examples: [[], ['superseded']],
  }),
};

export const wireEvent = z.strictObject(eventFields).meta({ description: 'One event of the journey.' });

export const wireIdentifiers = z.partialRecord(z.enum(identifierKeys), z.string().nullable()).meta({
  description: 'The numbers of the shipment as they were sent; every key of its mode, null where it has none.',
  examples: [{ mbl: 'MAEU123456789', booking: null, container: null, hbl: null }],
});

export type WireTime = z.infer<typeof wireTime>;
export type WirePlace = z.infer<typeof wirePlace>;
export type WireEvent = z.infer<typeof wireEvent>;
