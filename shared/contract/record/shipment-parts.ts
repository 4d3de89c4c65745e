import { z } from 'zod';
import { allClassifiers, allLegRoles, eventCodes, zoneSources } from '#shared/domain/events/event.ts';
import { statusDetails } from '#shared/domain/events/status-details.ts';
import { identifierKeys } from '#shared/domain/record/shipment.ts';
import { instant, knownValues, openEnum, textOrNull } from '../schema-parts.ts';
import { statedFee, statedFreeDay, statedHold } from './stated-parts.ts';

export const wireTime = z
  .strictObject({
    at: z.iso.datetime().meta({
      description: 'The instant in UTC. A date without a time of day is noon UTC, so that it never shifts by a day.',
      examples: ['2026-04-15T00:00:00.000Z'],
    }),
    local: z.string().meta({
      description: 'Local time at the location, without an offset. Only a date if `precision` is `date`.',
      examples: ['2026-04-15T08:00', '2026-04-15'],
    }),
    timezone: textOrNull('IANA time zone of `local`. Null if unknown.', 'Asia/Shanghai'),
    zone_source: openEnum(
      zoneSources,
      'How the time zone was determined: given by the carrier, from other scans at the place, from the code, coordinates ' +
        'or country of the location, from its city, from its postal code, as the zone in which most people of its state ' +
        'live, or assumed to be UTC because it is unknown.',
    ),
    precision: openEnum(['date', 'minute', 'second'], 'Precision of the time given by the carrier.'),
  })
  .meta({ description: 'A time reported by the carrier, as an instant and as local time.' });

/** A carrier's time that may be unknown. */
export function timeOrNull(description: string) {
  return wireTime.nullable().meta({ description });
}

export const wirePlace = z
  .strictObject({
    name: textOrNull('Name given by the carrier, otherwise the name of the UN/LOCODE.', 'Rotterdam'),
    unlocode: textOrNull('UN/LOCODE, 5 characters.', 'NLRTM'),
    iata: textOrNull('IATA code of the airport or city.', 'AMS'),
    country: textOrNull('ISO 3166-1 alpha-2 country code.', 'NL'),
    lat: z
      .number()
      .nullable()
      .meta({
        description:
          'Latitude in degrees (WGS 84): given by the carrier, otherwise that of the UN/LOCODE or the airport. Null ' +
          'if the place is only named.',
        examples: [51.95],
      }),
    lng: z
      .number()
      .nullable()
      .meta({ description: 'Longitude in degrees (WGS 84), as `lat`.', examples: [4.13] }),
    timezone: textOrNull('IANA time zone.', 'Europe/Amsterdam'),
    facility: textOrNull('Terminal, depot, ramp or hub at the place.', 'ECT Delta'),
  })
  .meta({ description: 'A place. Any field may be null.' });

/** A place that may be unknown. */
export function placeOrNull(description: string) {
  return wirePlace.nullable().meta({ description });
}

export const wireVehicle = z
  .strictObject({
    name: textOrNull('Name of the vessel.', 'Ever Given'),
    imo: textOrNull('IMO number of the vessel.', '9811000'),
    voyage: textOrNull('Voyage number.', '123W'),
    flight: textOrNull('Flight number.', 'KL0895'),
  })
  .meta({ description: 'The vessel or flight that carries the cargo. Any field may be null.' });

/** A vehicle that may be unknown. */
export function vehicleOrNull(description: string) {
  return wireVehicle.nullable().meta({ description });
}

export const currentPosition = z
  .strictObject({
    lat: z.number().meta({ description: 'Latitude in degrees (WGS 84).', examples: [51.95] }),
    lng: z.number().meta({ description: 'Longitude in degrees (WGS 84).', examples: [4.13] }),
    at: instant('When the vehicle was there. It may have moved on since.'),
    source: z.string().meta({
      description: 'Who reported it: `client:<source_name>` for pushed positions, `positions` for POSITIONS_URL.',
      examples: ['client:acme-telematics'],
    }),
    vehicle: vehicleOrNull('The vehicle. Null if the source does not name it.'),
  })
  .nullable()
  .meta({
    id: 'VehiclePosition',
    description:
      'The latest reported position of the vehicle that carries the cargo. Null if none is known, if the cargo has ' +
      'left the vehicle, and with `as_of`. It is never estimated, and a new position is no change: `version` stays.',
  });

export const wireTimes = z
  .strictObject({
    planned: timeOrNull('Scheduled time.'),
    estimated: timeOrNull('Latest estimate.'),
    actual: timeOrNull('Actual time. Null until it happens.'),
  })
  .meta({ id: 'Times', description: 'Planned, estimated and actual time.' });

export const wireWindow = z
  .strictObject({
    from: timeOrNull('Start of the window. Null if it is open.'),
    to: timeOrNull('End of the window. Null if it is open.'),
  })
  .meta({ id: 'TimeWindow', description: 'A time window. One end may be open.' });

/** The same for a shipment, a piece and an event. */
export const statusDetail = openEnum(statusDetails, 'Why the cargo is where it is, or how it was handed over.')
  .nullable()
  .meta({
    id: 'StatusDetail',
    description:
      'Why the cargo is where it is, or how it was handed over, in one vocabulary for all carriers. Null if the ' +
      `carrier reports neither. ${knownValues(statusDetails)}`,
    examples: ['left_with_reception'],
  });

export const piecesCount = z.int().min(0).nullable();
export const weightKg = z.number().min(0).nullable();

const eventDetails = z
  .strictObject({
    piece: textOrNull(
      'Tracking number of the piece that the event is about. Null for the whole shipment.',
      '1Z12345E0205271688',
    ),
    status_detail: statusDetail,
    window: wireWindow.nullable().meta({ description: 'Time window of an expected delivery. Null without one.' }),
    pieces_count: piecesCount.meta({
      description: 'Number of pieces that the event is about, if a shipment travels in parts. Null if unknown.',
      examples: [3],
    }),
    weight_kg: weightKg.meta({
      description: 'Weight of the cargo that the event is about, in kilograms. Null if unknown.',
      examples: [12.5],
    }),
    uld: textOrNull('Unit load device of an air shipment, as the carrier writes it.', 'AKE12345LH'),
    source_name: textOrNull('Name of the source that pushed the event. Null for other events.', 'acme-terminal'),
    holds: z.array(statedHold).nullable().meta({ description: 'Holds of the container. Null if nothing is stated.' }),
    fees: z.array(statedFee).nullable().meta({ description: 'Fees for the container. Null if nothing is stated.' }),
    last_free_days: z
      .array(statedFreeDay)
      .nullable()
      .meta({ description: 'Last free days of the container. Null if nothing is stated.' }),
    available: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the container can be collected. Null if nothing is stated.' }),
  })
  .nullable()
  .meta({
    id: 'EventDetails',
    description:
      'Details that the source reports beyond the event’s code, time and location. Null if there is nothing.',
  });

/** Source of an event. */
export const eventSource = z.string().meta({
  description:
    'Where the event comes from: `carrier`, `client`, `test`, or `client:` and the name of the source that pushed ' +
    'it. More values may be added.',
  examples: ['carrier', 'client:acme-terminal'],
});

export const eventFlags = ['suspect_future', 'voided', 'superseded', 'other_trip'] as const;

export const eventFields = {
  event_id: z.string().meta({
    description: 'Id of the event: `evt_` followed by 26 characters.',
    examples: ['evt_01h455vb4pex5vsknk084sn02q'],
  }),
  code: openEnum(eventCodes, 'Kind of event, in one vocabulary for all transport modes.'),
  classifier: openEnum(allClassifiers, 'Type of event. Only actual events determine the status.'),
  time: wireTime,
  location: placeOrNull('Where it happened. Null if the carrier does not report it.'),
  leg_role: openEnum(
    allLegRoles,
    'Role of the location in the journey: origin, port of loading, transshipment, port of discharge, destination ' +
      'or inland.',
  ),
  container: textOrNull('The container that the event is about. Null for the whole shipment.', 'CSQU3054383'),
  leg: z
    .int()
    .nullable()
    .meta({ description: '`sequence` of the leg that the event belongs to. Null if none.', examples: [1] }),
  vehicle: vehicleOrNull('The vessel or flight. Null if the carrier does not report it.'),
  description: textOrNull('Description given by the carrier.'),
  details: eventDetails,
  carrier_code: textOrNull('Event code of the carrier.', 'DEPA'),
  carrier_description: textOrNull('Description of the carrier’s event code.'),
  source: eventSource,
  received_at: instant('When Landfall received the event.'),
  superseded_by: textOrNull(
    'Id of the event that replaced this one. Null while it is current.',
    'evt_01h455vb4pex5vsknk084sn02q',
  ),
  fulfilled_by: textOrNull(
    'Id of the actual event that this plan or estimate has ended with. Null while it is open, and for actual events.',
    'evt_01h455vb4pex5vsknk084sn02q',
  ),
  flags: z.array(openEnum(eventFlags, 'Why the event is not counted.')).meta({
    description:
      'Empty for an event that counts. `suspect_future`: reported as actual for a time more than 24 hours ahead; it ' +
      'counts once that is no longer the case. `other_trip`: of another trip of the container than this ' +
      'shipment’s.',
    examples: [[], ['superseded']],
  }),
};

export const wireEvent = z.strictObject(eventFields).meta({ description: 'An event of the journey.' });

export const wireIdentifiers = z.partialRecord(z.enum(identifierKeys), z.string().nullable()).meta({
  description: 'Identifiers of the shipment: every key of its transport mode, null where it has none.',
  examples: [{ mbl: 'MAEU123456789', booking: null, container: null, hbl: null }],
});

export type WireTime = z.infer<typeof wireTime>;
export type WirePlace = z.infer<typeof wirePlace>;
export type WireEvent = z.infer<typeof wireEvent>;
