import { hash } from 'node:crypto';
import { dedupeText } from '#shared/domain/events/dedupe.ts';
import type { CarrierTime, Place, TrackingEvent, Vehicle } from '#shared/domain/events/event.ts';
import { isStorable, storableJson } from '../packing/storable-json.ts';

/** The columns of an event and their types, without those of its keys and its raw value. Null: see the table. */
export const eventColumns = {
  code: 'text',
  classifier: 'text',
  source: 'text',
  leg_role: 'text',
  event_at: 'timestamptz',
  received_at: 'timestamptz',
  source_created_at: 'timestamptz',
  voided_at: 'timestamptz',
  superseded_by: 'uuid',
  place: 'bigint',
  local_offset: 'smallint',
  timezone: 'text',
  zone_source: 'text',
  precision: 'text',
  container: 'text',
  iso_type: 'text',
  mode: 'text',
  vehicle_name: 'text',
  vehicle_imo: 'text',
  voyage: 'text',
  flight: 'text',
  empty: 'boolean',
  seals: 'text[]',
  delay_reason: 'text',
  document: 'text',
  description: 'text',
  carrier_code: 'text',
  carrier_description: 'text',
  source_event_id: 'text',
  family: 'text',
  occurrence: 'smallint',
  rest: 'jsonb',
} as const;

/** Times and the place as text. A time is ISO UTC, or as PostgreSQL prints it in UTC. */
export type EventRow = { [Column in Exclude<keyof typeof eventColumns, keyof Others>]: string | null } & Others;

type Others = {
  code: TrackingEvent['code'];
  classifier: TrackingEvent['classifier'];
  source: TrackingEvent['source'] | null;
  leg_role: TrackingEvent['legRole'] | null;
  event_at: string;
  local_offset: number | null;
  zone_source: CarrierTime['zoneSource'] | null;
  precision: CarrierTime['precision'] | null;
  mode: TrackingEvent['mode'];
  empty: boolean | null;
  seals: string[] | null;
  occurrence: number | null;
  rest: Partial<TrackingEvent> | null;
};

export type PlaceRow = Place & { id: string };

/** Returns an event as it is stored: PostgreSQL's texts have no U+0000 and no unpaired surrogates. */
export function toEventRow(given: TrackingEvent): { row: EventRow; place: PlaceRow | null; dedupeKey: string } {
  const event: TrackingEvent = isStorable(JSON.stringify(given)) ? given : JSON.parse(storableJson(given));
  const { time, vehicle, location } = event;
  const place = location === null ? null : { ...location, id: placeId(location) };
  const row: EventRow = {
    code: event.code,
    classifier: event.classifier,
    source: event.source === 'carrier' ? null : event.source,
    leg_role: event.legRole === 'unknown' ? null : event.legRole,
    event_at: time.at,
    received_at: event.receivedAt === timeOfId(event.id) ? null : event.receivedAt,
    source_created_at: event.sourceCreatedAt === null ? null : plainIso(event.sourceCreatedAt),
    voided_at: event.voidedAt,
    superseded_by: event.supersededBy,
    place: place?.id ?? null,
    local_offset: offsetOf(time),
    timezone: time.timezone === (location?.timezone ?? null) ? null : (time.timezone ?? ''),
    zone_source: time.zoneSource === 'carrier' ? null : time.zoneSource,
    precision: time.precision === 'second' ? null : time.precision,
    container: event.container,
    iso_type: event.isoType,
    mode: event.mode,
    vehicle_name: vehicle?.name ?? null,
    vehicle_imo: vehicle?.imo ?? null,
    voyage: vehicle?.voyage ?? null,
    flight: vehicle?.flight ?? null,
    empty: event.empty,
    seals: event.seals.length === 0 ? null : event.seals,
    delay_reason: event.delayReason,
    document: event.document,
    description: event.description,
    carrier_code: event.carrierCode,
    carrier_description: event.carrierDescription,
    source_event_id: event.sourceEventId,
    ...dedupeColumns(event),
    rest: null,
  };
  const times = {
    event_at: plainIso(time.at) ?? '',
    received_at: row.received_at && (plainIso(row.received_at) ?? ''),
  };
  const read: Record<string, unknown> = fromEventRow(event.id, { ...row, ...times, family: null }, place);
  const rest = Object.entries(event).filter(([name, value]) => !apart.has(name) && !isSame(value, read[name]));
  if (row.family === null) rest.push(['dedupeKey', event.dedupeKey]);
  if (rest.length > 0) row.rest = Object.fromEntries(rest);
  return { row, place, dedupeKey: event.dedupeKey };
}

/** Set in their columns after the event was stored, or computed from all others. */
const apart: ReadonlySet<string> = new Set(['supersededBy', 'voidedAt', 'dedupeKey'] satisfies (keyof TrackingEvent)[]);

/** The event of a stored row. */
export function fromEventRow(id: string, row: EventRow, place: Place | null): TrackingEvent {
  const at = toIso(row.event_at);
  const precision = row.precision ?? 'second';
  const event: TrackingEvent = {
    code: row.code,
    classifier: row.classifier,
    legRole: row.leg_role ?? 'unknown',
    time: {
      at,
      local: localOf(at, row.local_offset ?? 0, precision),
      timezone: row.timezone === null ? (place?.timezone ?? null) : row.timezone || null,
      zoneSource: row.zone_source ?? 'carrier',
      precision,
    },
    location: place === null ? null : placeOf(place),
    container: row.container,
    isoType: row.iso_type,
    mode: row.mode,
    vehicle: vehicleOf(row),
    empty: row.empty,
    seals: row.seals ?? [],
    delayReason: row.delay_reason,
    document: row.document,
    description: row.description,
    carrierCode: row.carrier_code,
    carrierDescription: row.carrier_description,
    sourceEventId: row.source_event_id,
    sourceCreatedAt: row.source_created_at === null ? null : toIso(row.source_created_at),
    source: row.source ?? 'carrier',
    id,
    dedupeKey: '',
    receivedAt: row.received_at === null ? timeOfId(id) : toIso(row.received_at),
    supersededBy: row.superseded_by,
    voidedAt: row.voided_at === null ? null : toIso(row.voided_at),
  };
  if (row.rest !== null) Object.assign(event, row.rest);
  if (row.family !== null) event.dedupeKey = dedupeText(event, row.family, row.occurrence ?? 0);
  return event;
}

export function placeOf({ name, unlocode, iata, country, lat, lng, timezone, facility }: Place): Place {
  return { name, unlocode, iata, country, lat, lng, timezone, facility };
}

/** The time in a uuid of version 7, ISO UTC. Ids are made with the time of receipt. */
function timeOfId(id: string): string {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
}

function placeId(place: Place): string {
  const content = JSON.stringify(Object.values(placeOf(place)));
  return hash('sha256', content, 'buffer').readBigInt64BE().toString();
}

function vehicleOf(row: EventRow): Vehicle | null {
  const { vehicle_name: name, vehicle_imo: imo, voyage, flight } = row;
  return name === null && imo === null && voyage === null && flight === null ? null : { name, imo, voyage, flight };
}

/** Null: the text doesn't follow from the event. */
function dedupeColumns(event: TrackingEvent): Pick<EventRow, 'family' | 'occurrence'> {
  const [family = ''] = event.dedupeKey.split('|', 1);
  const text = dedupeText(event, family);
  if (event.dedupeKey === text) return { family, occurrence: null };
  const added = event.dedupeKey.startsWith(`${text}|`) ? event.dedupeKey.slice(text.length + 1) : '';
  return /^[1-9]\d{0,3}$/.test(added) ? { family, occurrence: Number(added) } : { family: null, occurrence: null };
}

const lengths = { date: 10, minute: 16, second: 19 } as const;

function localOf(at: string, offsetMinutes: number, precision: CarrierTime['precision']): string {
  if (offsetMinutes === 0) return at.slice(0, lengths[precision]);
  return new Date(Date.parse(at) + offsetMinutes * 60_000).toISOString().slice(0, lengths[precision]);
}

/** Null stands for 0, and for an offset that isn't whole minutes: then the time is in `rest`. */
function offsetOf({ at, local, precision }: CarrierTime): number | null {
  if (plainIso(at) === null || at.slice(0, lengths[precision]) === local) return null;
  const offset = Math.round(
    (Date.parse(precision === 'date' ? `${local}T12:00Z` : `${local}Z`) - Date.parse(at)) / 60_000,
  );
  return Math.abs(offset) <= 2 * 24 * 60 ? offset : null;
}

/** Null: the column would return another text. */
function plainIso(text: string): string | null {
  return text.length === 24 && toIso(text) === text ? text : null;
}

/** ISO UTC with milliseconds. Runs three times for each event that is read. */
export function toIso(text: string): string {
  // 2026-04-15 08:00:00+00 or with up to six digits behind the second.
  if (text.charAt(10) === ' ' && text.endsWith('+00') && text.length <= 29) {
    const milliseconds = text.slice(20, -3).padEnd(3, '0').slice(0, 3);
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
  }
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  const names = Object.keys(left);
  const [one, other] = [left, right] as Record<string, unknown>[];
  return names.length === Object.keys(right).length && names.every((name) => isSame(one?.[name], other?.[name]));
}
