import { z } from 'zod';
import { lenient } from './lenient.ts';
import { resultRow } from './list-result.ts';

const { text, number, flag, texts, counts, listOf, group } = lenient;

const times = { planned: text, estimated: text, actual: text };
const promised = { ...times, promised: text };

const leg = z.object({
  mode: text,
  from: text,
  to: text,
  vehicle: text,
  voyage: text,
  departure: group(times),
  arrival: group(times),
});

const estimate = z.object({ eta: z.string(), seen_at: z.string(), kind: text });

const clock = z.object({
  kind: z.string(),
  state: z.string(),
  last_free_day: text,
  days_left: number,
  cost: text,
});

const container = z.object({
  number: z.string(),
  status: z.string().catch('pending'),
  holds: texts,
  last_free_day: text,
  last_free_day_source: text,
  clocks: listOf(clock),
  available: flag,
  iso_type: text,
  seals: texts,
  last_event: text,
  at: text,
});

const piece = z.object({
  tracking_number: z.string(),
  status: z.string().catch('pending'),
  status_detail: text,
  at: text,
  place: text,
  weight_kg: number,
});

const event = z.object({
  at: z.string(),
  code: z.string(),
  classifier: text,
  status_detail: text,
  place: text,
  facility: text,
  container: text,
  containers: number,
  piece: text,
  pieces: number,
  vehicle: text,
  flags: texts,
  source: text,
  description: text,
});

const exception = z.object({
  code: z.string(),
  severity: text,
  since: text,
  resolved_at: text,
  piece: text,
  container: text,
  message: text,
});

/** The number that was asked for, where the shipment has many. */
const matched = group({
  type: text,
  number: text,
  status: text,
  last_event: text,
  at: text,
  place: text,
  facility: text,
});

/** What a view reads of the structured content of `get_shipment_details`: one shipment. */
export const detailsResult = z.object({
  shipment_id: z.string(),
  test: flag,
  archived_at: text,
  status: z.string(),
  status_detail: text,
  status_since: text,
  status_evidence: group({ code: z.string(), at: text, place: text, source: text }),
  matched,
  transport_mode: text,
  carrier: text,
  carrier_name: text,
  identifiers: z.record(z.string(), z.string()).catch({}),
  reference: text,
  tags: texts,
  current_location: text,
  terminal: text,
  under_way: group({ left: text, left_at: text, next: text, next_eta: text, vehicle: text, voyage: text }),
  current_position: group({ lat: z.number(), lng: z.number(), at: z.string(), source: text, vehicle: text }),
  origin: text,
  destination: text,
  departure: group(times),
  arrival: group(promised),
  eta_kind: text,
  delay_hours: number,
  overdue_hours: number,
  eta_history: listOf(estimate),
  delivery: group({
    ...promised,
    window: text,
    on_time: text,
    attempts: number,
    last_attempt_at: text,
    received_by: text,
    left_at: text,
    proof: z.array(z.unknown()).catch([]),
  }),
  pickup_point: group({
    kind: z.string(),
    kept_until: text,
    id: text,
    place: text,
    name: text,
    address: text,
    hours: text,
  }),
  return: group({ started_at: text, completed_at: text, tracking_number: text, to: text, reason: text }),
  exceptions: listOf(exception),
  service: text,
  weight_kg: number,
  pieces_count: number,
  piece_status_counts: counts,
  pieces: listOf(piece),
  legs: listOf(leg),
  containers_count: number,
  container_status_counts: counts,
  containers: listOf(container),
  /** Numbers by what they have in common: `in_transit, departed`. */
  more_containers: z.record(z.string(), z.string()).catch({}),
  events_count: number,
  events: listOf(event),
  tracking: group({ state: text, reason: text, freshness: text, source: text, next_refresh_at: text }),
  warnings: texts,
  data_as_of: text,
  stale_because: text,
});

/** Several shipments have the number. */
export const matchesResult = z.object({
  matches: listOf(resultRow),
  matches_has_more: flag,
  next_step: text,
});

/** What `_meta` adds for views. */
export const drawing = z
  .object({
    as_of: text,
    carrier_name: text,
    legs: listOf(leg),
    eta_history: listOf(estimate),
    places: z.record(z.string(), z.tuple([z.number(), z.number()])).catch({}),
    cities: listOf(z.object({ name: z.string(), country: text, lat: z.number(), lng: z.number() })),
  })
  .catch({ as_of: undefined, carrier_name: undefined, legs: [], eta_history: [], places: {}, cities: [] });

export type DetailsResult = z.output<typeof detailsResult>;
export type MatchesResult = z.output<typeof matchesResult>;
export type Drawing = z.output<typeof drawing>;
