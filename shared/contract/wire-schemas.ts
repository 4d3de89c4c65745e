import { z } from 'zod';
import { eventCodes } from '#shared/domain/event.ts';
import { exceptionCodes, freshnesses, identifierKeys, statuses, trackingReasons, trackingStates } from '#shared/domain/shipment.ts';
import { transportModes } from '#shared/domain/transport-mode.ts';

const instant = z.iso.datetime();

/** Clients must accept values that are not in the list. */
function openEnum(values: readonly string[]) {
  return z.string().meta({ description: `Open: accept new values. Known: ${values.join(', ')}.` });
}

export const wireTime = z.strictObject({
  at: instant,
  local: z.string(),
  timezone: z.string().nullable(),
  zone_source: openEnum(['carrier', 'location', 'assumed_utc']),
  precision: openEnum(['date', 'minute', 'second']),
});

const time = wireTime.nullable();

export const wirePlace = z.strictObject({
  name: z.string().nullable(),
  unlocode: z.string().nullable(),
  iata: z.string().nullable(),
  country: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  timezone: z.string().nullable(),
  facility: z.string().nullable(),
});

const place = wirePlace.nullable();

export const wireVehicle = z.strictObject({
  name: z.string().nullable(),
  imo: z.string().nullable(),
  voyage: z.string().nullable(),
  flight: z.string().nullable(),
});

const timeTriple = z.strictObject({ planned: time, estimated: time, actual: time });

export const wireEvent = z.strictObject({
  event_id: z.string(),
  code: openEnum(eventCodes),
  classifier: openEnum(['planned', 'estimated', 'actual']),
  time: wireTime,
  location: place,
  leg_role: openEnum(['origin', 'pol', 'transshipment', 'pod', 'destination', 'inland', 'unknown']),
  container: z.string().nullable(),
  leg: z.int().nullable(),
  vehicle: wireVehicle.nullable(),
  description: z.string().nullable(),
  carrier_code: z.string().nullable(),
  carrier_description: z.string().nullable(),
  source: openEnum(['carrier', 'client', 'test']),
  received_at: instant,
  superseded_by: z.string().nullable(),
  flags: z.array(openEnum(['suspect_future', 'voided', 'superseded'])),
});

export const wireIdentifiers = z.partialRecord(z.enum(identifierKeys), z.string().nullable());

const arrival = timeTriple.extend({
  original_estimated: time,
  delay_hours: z.number().nullable(),
  eta_source: z.string().nullable(),
});

/** What the record and the summary of a list have in common. */
const commonFields = {
  shipment_id: z.string(),
  transport_mode: openEnum(transportModes),
  carrier: z.string(),
  identifiers: wireIdentifiers,
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  status: openEnum(statuses),
  status_changed_at: instant.nullable(),
  origin: place,
  destination: place,
  departure: timeTriple,
  arrival,
  has_exception: z.boolean(),
  latest_event: wireEvent.nullable(),
  created_at: instant,
  updated_at: instant,
  version: z.int(),
};

const trackingFields = {
  state: openEnum(trackingStates),
  reason: openEnum(trackingReasons).nullable(),
  freshness: openEnum(freshnesses),
  last_succeeded_at: instant.nullable(),
  next_check_at: instant.nullable(),
};

/** The whole record of a shipment. */
export const wireShipment = z.strictObject({
  object: z.literal('shipment'),
  test: z.boolean(),
  service_type: z.enum(['ltl', 'ftl']).nullable(),
  carrier_name: z.string(),
  destination_postal_code: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  ...commonFields,
  status_evidence: z.strictObject({ event_id: z.string(), code: openEnum(eventCodes), source: z.string() }).nullable(),
  current_location: place,
  delivery: z.strictObject({ estimated: time, actual: time }),
  eta_history: z.array(z.strictObject({ eta: wireTime, seen_at: instant, source: z.string() })),
  legs: z.array(
    z.strictObject({
      sequence: z.int(),
      mode: openEnum(transportModes),
      from: place,
      to: place,
      vehicle: wireVehicle.nullable(),
      departure: timeTriple,
      arrival: timeTriple,
    }),
  ),
  containers: z.array(
    z.strictObject({
      number: z.string(),
      iso_type: z.string().nullable(),
      status: openEnum(statuses),
      seals: z.array(z.string()),
      holds: z.array(z.string()),
      last_free_day: z.string().nullable(),
    }),
  ),
  container_status_counts: z.record(z.string(), z.int()),
  exceptions: z.array(
    z.strictObject({
      code: openEnum(exceptionCodes),
      severity: openEnum(['info', 'warning', 'critical']),
      message: z.string(),
      opened_at: instant,
      resolved_at: instant.nullable(),
      event_id: z.string(),
    }),
  ),
  events_count: z.int(),
  events: z.array(wireEvent).max(50),
  tracking: z.strictObject({
    ...trackingFields,
    source: z.string().nullable(),
    last_attempted_at: instant.nullable(),
    last_changed_at: instant.nullable(),
    consecutive_failures: z.int(),
    trace_id: z.string().nullable(),
  }),
  warnings: z.array(z.strictObject({ code: z.string(), field: z.string(), detail: z.string(), expected: z.string().nullable() })),
});

/** One row of a list. */
export const wireSummary = z.strictObject({
  ...commonFields,
  delay_hours: z.number().nullable(),
  tracking: z.strictObject(trackingFields),
});

/** One page of a list. `counts_by_status` and `total` are null unless the total was asked for. */
export const wireList = z.strictObject({
  data: z.array(wireSummary),
  page: z.strictObject({
    limit: z.int(),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
    total: z.int().nullable(),
    total_is_lower_bound: z.boolean(),
  }),
  counts_by_status: z.record(z.string(), z.int()).nullable(),
  as_of: instant,
});

export type WireTime = z.infer<typeof wireTime>;
export type WirePlace = z.infer<typeof wirePlace>;
export type WireEvent = z.infer<typeof wireEvent>;
export type WireShipment = z.infer<typeof wireShipment>;
export type WireSummary = z.infer<typeof wireSummary>;
export type WireList = z.infer<typeof wireList>;
