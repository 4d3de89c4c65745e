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
import type { StatedFields } from '#shared/domain/record/stated-fields.ts';
import { type StoredJourney, unpackJourney } from '../packing/packed-journey.ts';

/** Freshness of `p`, by Postgres's clock. Conditions pass the name as a literal, so that an index can be used. */
const freshness = 'landfall.freshness(p.state, p.last_succeeded_at, p.stale_at)';
export const hasFreshness = (name: Freshness) =>
  `landfall.has_freshness('${name}', p.state, p.last_succeeded_at, p.stale_at)`;

/** True when the simulator is the source of `p`. Its vessels are others than the real ones with their numbers. */
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
  s.id, s.account_id, s.test, s.transport_mode, s.service_type, s.carrier, s.carrier_name, s.identifiers, s.reference, s.reference_list, s.tags, s.metadata,
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

export type StoredShipmentRow = Omit<StatedFields, 'references'> & {
  /** Empty unless there are several. */
  referenceList: string[];
  id: string;
  accountId: string;
  test: boolean;
  transportMode: TransportMode;
  serviceType: Registration['serviceType'];
  carrier: string;
  carrierName: string;
  identifiers: Identifiers;
  statusChangedAt: string | null;
  record: StoredJourney;
  /** Absent: the record has its events. */
  packedJourney?: Buffer | null;
  /** Absent: not read. */
  currentPosition?: VehiclePosition | null;
  warnings: Warning[];
  createdAt: string;
  updatedAt: string;
  archivedAt: string | null;
  version: number;
  overdueHours: number | null;
  late: boolean;
  needsAttention: boolean;
  staleAfterHours: number | null;
  /** Absent where whole records are read as text. */
  manualFreeDays?: ManualFreeDay[];
  assignee: Assignee | null;
  notesCount: number;
  state: TrackingState;
  reason: TrackingReason | null;
  source: string | null;
  lastRefreshedAt: string | null;
  lastSucceededAt: string | null;
  lastChangedAt: string | null;
  nextRefreshAt: string | null;
  consecutiveFailures: number;
  traceId: string | null;
  traceKept: boolean;
  freshness: Freshness;
};

export function toShipment(row: StoredShipmentRow): Shipment {
  return { ...toShipmentFields(row), journey: unpackJourney(row.record, row.packedJourney ?? null) };
}

/** All fields except the journey. */
export function toShipmentFields(row: Omit<StoredShipmentRow, 'record' | 'packedJourney'>): Omit<Shipment, 'journey'> {
  return {
    id: row.id,
    accountId: row.accountId,
    test: row.test,
    transportMode: row.transportMode,
    serviceType: row.serviceType,
    carrier: row.carrier,
    carrierName: row.carrierName,
    identifiers: row.identifiers,
    reference: row.reference,
    references: referencesOf(row),
    tags: row.tags,
    metadata: row.metadata,
    destinationPostalCode: row.destinationPostalCode,
    statusChangedAt: row.statusChangedAt,
    overdueHours: row.overdueHours,
    late: row.late,
    tracking: {
      mode: row.staleAfterHours === null ? 'polled' : 'pushed',
      staleAfterHours: row.staleAfterHours,
      state: row.state,
      reason: row.reason,
      freshness: row.freshness,
      source: row.source,
      lastRefreshedAt: row.lastRefreshedAt,
      lastSucceededAt: row.lastSucceededAt,
      lastChangedAt: row.lastChangedAt,
      nextRefreshAt: row.nextRefreshAt,
      consecutiveFailures: row.consecutiveFailures,
      traceId: row.traceId,
      traceKept: row.traceKept,
    },
    needsAttention: row.needsAttention,
    warnings: row.warnings,
    manualFreeDays: row.manualFreeDays ?? [],
    assignee: row.assignee,
    notesCount: row.notesCount,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    archivedAt: row.archivedAt,
    version: Number(row.version),
    currentPosition: row.currentPosition ? { ...row.currentPosition, at: isoOfJson(row.currentPosition.at) } : null,
  };
}

/** The references of a stored row. */
export function referencesOf({
  reference,
  referenceList,
}: Pick<StoredShipmentRow, 'reference' | 'referenceList'>): string[] {
  if (referenceList.length > 0) return referenceList;
  return reference === null ? [] : [reference];
}

/** The list as it is stored. */
export function storedReferences(references: readonly string[]): readonly string[] {
  return references.length > 1 ? references : [];
}

/** JSON of a `timestamptz` has the offset of the connection's time zone. */
function isoOfJson(text: string): string {
  return new Date(text).toISOString();
}
