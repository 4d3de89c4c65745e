import type { ManualFreeDay } from '#shared/domain/events/stated-free-time.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { VehiclePosition } from '#shared/domain/positions/vehicle-position.ts';
import type {
  Assignee,
  Freshness,
  Identifiers,
  Registration,
  Shipment,
  TrackingReason,
  TrackingState,
  Warning,
} from '#shared/domain/record/shipment.ts';
import { type StoredJourney, unpackJourney } from '../packing/packed-journey.ts';

/** Freshness of `p`, by Postgres's clock. Conditions pass the name as a literal, so that an index can be used. */
const freshness = 'landfall.freshness(p.state, p.last_succeeded_at, p.stale_at)';
export const hasFreshness = (name: Freshness) =>
  `landfall.has_freshness('${name}', p.state, p.last_succeeded_at, p.stale_at)`;

/** Whether the simulator is the source of `p`. Its vessels are others than the real ones with their numbers. */
export const isSimulated = `coalesce(starts_with(p.source, 'simulator:'), false)`;
/** The vehicle of a position in `landfall.vessel_positions as w`. */
export const vesselJson = `jsonb_build_object('name', w.name, 'imo', w.imo, 'voyage', null, 'flight', null)`;

/** The packed row of a settled shipment; for others nothing is looked up. */
const settledHistory = `
    select h.packed from landfall.settled_shipments as h
    where s.settled_at is not null and h.account_id = s.account_id and h.shipment_id = s.id`;

/** The member to whom `s` is assigned, by name. */
const assignee = `case when s.assignee_id is not null then (
    select jsonb_build_object('userId', a.user_id, 'name', a.name) from landfall.account_members as a
    where a.account_id = s.account_id and a.user_id = s.assignee_id
  ) end`;

const columnsWith = (journey: string) => `
  s.id, s.account_id, s.test, s.transport_mode, s.service_type, s.carrier, s.carrier_name, s.identifiers, s.reference, s.tags, s.metadata,
  s.destination_postal_code, s.status_changed_at, ${journey}, s.warnings, s.created_at, s.updated_at, s.archived_at, s.version, s.needs_attention, s.manual_free_days, s.notes_count,
  ${assignee} as assignee,
  landfall.overdue_hours(s.overdue_from) as overdue_hours, coalesce(s.late_from <= now(), false) as late,
  p.stale_after_hours, p.state, p.reason, p.source, p.last_refreshed_at, p.last_succeeded_at, p.last_changed_at, p.next_refresh_at, p.consecutive_failures, p.trace_id, p.trace_kept,
  ${freshness} as freshness`;

/**
 * A record without fields that only single records include: up to 50 events are most of its bytes. Removing them first
 * takes PostgreSQL a third of the time of replacing them.
 */
const shortRecord = `(s.record - '{events,etaHistory}'::text[]) || '{"events": [], "etaHistory": []}'::jsonb`;

/**
 * The latest position that is the cargo's: one that a client sent since the last event, or that of the vessel which
 * carries it now. A closed shipment has left its vehicle.
 */
const currentPosition = `
    select jsonb_build_object('lat', l.lat, 'lng', l.lng, 'at', l.at, 'source', l.source, 'vehicle', l.vehicle)
    from (
      select v.lat, v.lng, v.at, v.source, v.vehicle
      from landfall.vehicle_positions as v
      where v.account_id = s.account_id and v.shipment_id = s.id and v.at >= coalesce(s.last_event_at, '-infinity')
      union all
      select w.lat, w.lng, w.at, w.source, ${vesselJson}
      from landfall.vessel_positions as w
      where w.imo = s.vessel_imo and w.simulated = ${isSimulated}
    ) as l
    where s.closed_at is null
    order by l.at desc
    limit 1`;

/** The columns of every read of whole shipments, from `landfall.shipments as s join landfall.polling as p`. */
export const shipmentColumns = columnsWith(
  `s.record, coalesce(s.packed_journey, (${settledHistory})) as packed_journey, (${currentPosition}) as current_position`,
);

/** The same columns with short records. */
export const rowColumns = columnsWith(`${shortRecord} as record`);

export const shipmentTables = `
  landfall.shipments as s
  join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id`;

export type ShipmentRow = {
  id: string;
  account_id: string;
  test: boolean;
  transport_mode: TransportMode;
  service_type: Registration['serviceType'];
  carrier: string;
  carrier_name: string;
  identifiers: Identifiers;
  reference: string | null;
  tags: string[];
  metadata: Record<string, string>;
  destination_postal_code: string | null;
  status_changed_at: Date | null;
  record: StoredJourney;
  /** Absent: the record has its events. */
  packed_journey?: Buffer | null;
  /** Absent: not read. */
  current_position?: VehiclePosition | null;
  warnings: Warning[];
  created_at: Date;
  updated_at: Date;
  archived_at: Date | null;
  version: number;
  overdue_hours: number | null;
  late: boolean;
  needs_attention: boolean;
  stale_after_hours: number | null;
  /** Absent where whole records are read as text. */
  manual_free_days?: ManualFreeDay[];
  assignee: Assignee | null;
  notes_count: number;
  state: TrackingState;
  reason: TrackingReason | null;
  source: string | null;
  last_refreshed_at: Date | null;
  last_succeeded_at: Date | null;
  last_changed_at: Date | null;
  next_refresh_at: Date | null;
  consecutive_failures: number;
  trace_id: string | null;
  trace_kept: boolean;
  freshness: Freshness;
};

export function toShipment(row: ShipmentRow): Shipment {
  return { ...toShipmentFields(row), journey: unpackJourney(row.record, row.packed_journey ?? null) };
}

/** A row with times as ISO UTC or as `Date`. */
type TimedRow = {
  [Name in keyof Omit<ShipmentRow, 'record' | 'packed_journey'>]: Date extends ShipmentRow[Name]
    ? ShipmentRow[Name] | string
    : ShipmentRow[Name];
};

/** All fields except the journey. */
export function toShipmentFields(row: TimedRow): Omit<Shipment, 'journey'> {
  return {
    id: row.id,
    accountId: row.account_id,
    test: row.test,
    transportMode: row.transport_mode,
    serviceType: row.service_type,
    carrier: row.carrier,
    carrierName: row.carrier_name,
    identifiers: row.identifiers,
    reference: row.reference,
    tags: row.tags,
    metadata: row.metadata,
    destinationPostalCode: row.destination_postal_code,
    statusChangedAt: isoOf(row.status_changed_at),
    overdueHours: row.overdue_hours,
    late: row.late,
    tracking: {
      mode: row.stale_after_hours === null ? 'polled' : 'pushed',
      staleAfterHours: row.stale_after_hours,
      state: row.state,
      reason: row.reason,
      freshness: row.freshness,
      source: row.source,
      lastRefreshedAt: isoOf(row.last_refreshed_at),
      lastSucceededAt: isoOf(row.last_succeeded_at),
      lastChangedAt: isoOf(row.last_changed_at),
      nextRefreshAt: isoOf(row.next_refresh_at),
      consecutiveFailures: row.consecutive_failures,
      traceId: row.trace_id,
      traceKept: row.trace_kept,
    },
    needsAttention: row.needs_attention,
    warnings: row.warnings,
    manualFreeDays: row.manual_free_days ?? [],
    assignee: row.assignee,
    notesCount: row.notes_count,
    createdAt: isoText(row.created_at),
    updatedAt: isoText(row.updated_at),
    archivedAt: isoOf(row.archived_at),
    version: Number(row.version),
    currentPosition: row.current_position ? { ...row.current_position, at: isoOfJson(row.current_position.at) } : null,
  };
}

/** JSON of a `timestamptz` has the offset of the connection's time zone. */
function isoOfJson(text: string): string {
  return new Date(text).toISOString();
}

function isoOf(time: Date | string | null): string | null {
  return time === null ? null : isoText(time);
}

function isoText(time: Date | string): string {
  return typeof time === 'string' ? time : time.toISOString();
}

/**
 * Converts a `timestamptz` as PostgreSQL prints it in UTC (`2026-03-01 09:00:00.123456+00`) to ISO UTC with
 * milliseconds. Skipping `Date` matters: it would be the most expensive part of reading a row. Other formats use
 * `Date`.
 */
export function isoOfText(text: string): string {
  const isUsual =
    text.endsWith('+00') && text.charCodeAt(10) === 32 && (text.length === 22 || text.charCodeAt(19) === 46);
  if (!isUsual) return new Date(text).toISOString();
  const milliseconds = text.slice(20, -3).slice(0, 3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}
