import type { WireEvent, WirePlace, WireTime } from '#shared/contract/record/shipment-parts.ts';
import type { WireSummary } from '#shared/contract/record/shipment-schemas.ts';
import type { EventCode, LegRole } from '#shared/domain/events/event.ts';
import { statusOf } from '#shared/domain/journey/status.ts';
import { statusRanks } from '#shared/domain/journey/status-transitions.ts';
import type { Status } from '#shared/domain/record/shipment.ts';
import { leadingIdentifier } from '#shared/domain/words/group-identifier.ts';
import type { WireException } from '../../api/wire.ts';
import type { CostLike } from '../../parts/words/free-time-words.ts';
import type { LocalTime, TimeWindow } from '../../parts/words/window-words.ts';
import { type PlainField, plainFields } from './column-table.ts';

/** The fields of a shipment that the list shows, a tenth of its record: up to 100,000 of them are in memory. */
export type ShipmentRow = Pick<WireSummary, PlainField> & {
  id: string;
  mode: string;
  carrier: string;
  number: { kind: string; value: string };
  reference: string | null;
  references: readonly string[];
  tags: readonly string[];
  status: string;
  /** Reason of the status, or kind of handover. */
  detail: string | null;
  origin: RowPlace | null;
  destination: RowPlace | null;
  departure: RowTime | null;
  /** The actual arrival or delivery, otherwise the ETA. */
  arrival: RowTime | null;
  /** The local day of the ETA, by which lists are filtered. */
  etaDay: string | null;
  /** When on its day a parcel is expected; null once it is delivered. */
  window: TimeWindow | null;
  /** Of a parcel: how its promise is kept. */
  onTime: string | null;
  /** Present only if a column shows it. Undefined: it was not read. */
  metadata?: Readonly<Record<string, string>> | undefined;
  containerCount?: number | undefined;
  /** Current vehicle, otherwise the next or the last one; the last event's vehicle unless a column requests it. */
  vehicle?: RowVehicle | null | undefined;
  delayHours: number | null;
  overdueHours: number | null;
  isLate: boolean;
  hasException: boolean;
  needsAttention: boolean;
  /** Of containers; null where there are none, or no clock of theirs counts. */
  freeTime: RowFreeTime | null;
  /** The open ones; null when it is only known that there are some. */
  exceptions: readonly { code: string; severity: string }[] | null;
  /** `isPartial`: it is ahead of the status, because some containers are. */
  event: { code: string; place: string | null; description: string | null; at: string; isPartial: boolean } | null;
  state: string;
  reason: string | null;
  freshness: string;
  seenAt: string | null;
  nextRefreshAt: string | null;
  createdAt: string;
  /** Null: nobody. */
  assignee: { id: string; name: string } | null;
  isArchived: boolean;
  version: number;
};

/** `code` is the UN/LOCODE, or the IATA code for air; null when the carrier gave only a name. */
export type RowPlace = {
  code: string | null;
  name: string | null;
  country: string | null;
  unlocode: string | null;
  iata: string | null;
};
export type RowVehicle = { name: string | null; voyage: string | null; flight: string | null };
export type RowTime = {
  at: string;
  local: string | null;
  timezone: string | null;
  precision: string;
  isActual: boolean;
};

/** `containers`: the most urgent; `more` are not listed. `unknown`: containers whose risk can't be assessed. */
export type RowFreeTime = {
  state: string;
  lastFreeDay: string | null;
  daysLeft: number | null;
  costs: readonly CostLike[];
  containers: readonly { number: string; state: string }[];
  more: number;
  unknown: number;
};

const maxDescriptionChars = 160;

type Included = {
  exceptions?: readonly WireException[];
  metadata?: Readonly<Record<string, string>>;
  container_status_counts?: Readonly<Record<string, number>>;
  vehicle?: RowVehicle | null;
};

/** A row from a summary, with the parts that the list included. */
export function rowOf(summary: WireSummary & Included): ShipmentRow {
  const { latest_event: event, tracking, delivery } = summary;
  const isOfDelivery = summary.arrival.actual === null && summary.eta?.kind === 'delivery';
  return {
    id: summary.shipment_id,
    mode: summary.transport_mode,
    carrier: summary.carrier,
    number: leadingIdentifier(summary.identifiers) ?? { kind: '', value: '–' },
    reference: summary.reference,
    references: summary.references,
    tags: summary.tags,
    status: summary.status,
    detail: summary.status_detail,
    origin: rowPlace(summary.origin, summary.transport_mode),
    destination: rowPlace(summary.destination, summary.transport_mode),
    departure: rowTime(summary.departure),
    arrival: rowTime({
      ...(isOfDelivery ? delivery : summary.arrival),
      estimated: summary.eta?.time ?? null,
    }),
    etaDay: summary.eta?.time.local.slice(0, 10) ?? null,
    window: delivery.actual === null ? rowWindow(delivery.window) : null,
    onTime: summary.transport_mode === 'parcel' ? delivery.on_time : null,
    ...plainOf(summary),
    metadata: summary.metadata,
    containerCount: summary.container_status_counts && countOf(summary.container_status_counts),
    vehicle: summary.vehicle === undefined ? (event?.vehicle ?? undefined) : summary.vehicle,
    delayHours: summary.delay_hours,
    overdueHours: summary.overdue_hours,
    isLate: summary.late,
    hasException: summary.has_exception,
    needsAttention: summary.needs_attention,
    freeTime: rowFreeTime(summary.free_time),
    exceptions: openExceptions(summary),
    event: event && {
      code: event.code,
      place: event.location?.name ?? event.location?.unlocode ?? event.location?.iata ?? null,
      description: event.description?.slice(0, maxDescriptionChars) ?? null,
      at: event.time.at,
      isPartial: isAhead(event, summary.status),
    },
    state: tracking.state,
    reason: tracking.reason,
    freshness: tracking.freshness,
    seenAt: tracking.last_succeeded_at,
    nextRefreshAt: tracking.next_refresh_at,
    createdAt: summary.created_at,
    assignee: summary.assignee ? { id: summary.assignee.member_id, name: summary.assignee.name } : null,
    isArchived: summary.archived_at !== null,
    version: summary.version,
  };
}

function plainOf(summary: WireSummary): Pick<WireSummary, PlainField> {
  return Object.fromEntries(plainFields.map((name) => [name, summary[name]])) as Pick<WireSummary, PlainField>;
}

function countOf(byStatus: Readonly<Record<string, number>>): number {
  return Object.values(byStatus).reduce((sum, count) => sum + count, 0);
}

function rowFreeTime(freeTime: WireSummary['free_time']): RowFreeTime | null {
  if (freeTime === null || freeTime.state === 'not_started') return null;
  const { state, last_free_day: lastFreeDay, days_left: daysLeft, costs, containers, more, unknown_terms } = freeTime;
  return {
    state,
    lastFreeDay,
    daysLeft,
    costs,
    containers: containers.map((container) => ({ number: container.number, state: container.state })),
    more,
    unknown: unknown_terms,
  };
}

function isAhead({ code, leg_role: role }: WireEvent, status: string): boolean {
  const reached = statusOf(code as EventCode, role as LegRole);
  const rank = statusRanks[status as Status] ?? statusRanks.delivered;
  return reached !== null && statusRanks[reached] <= statusRanks.delivered && statusRanks[reached] > rank;
}

function openExceptions({
  has_exception,
  exceptions,
}: {
  has_exception: boolean;
  exceptions?: readonly WireException[];
}): ShipmentRow['exceptions'] {
  if (!has_exception) return [];
  const open = exceptions?.filter(({ resolved_at }) => resolved_at === null);
  return open?.map(({ code, severity }) => ({ code, severity })) ?? null;
}

function rowPlace(place: WirePlace | null, mode: string): RowPlace | null {
  if (place === null) return null;
  const { name, unlocode, iata, country } = place;
  return { code: (mode === 'air' ? (iata ?? unlocode) : (unlocode ?? iata)) ?? null, name, country, unlocode, iata };
}

function rowTime(times: {
  planned: WireTime | null;
  estimated: WireTime | null;
  actual: WireTime | null;
}): RowTime | null {
  const time = times.actual ?? times.estimated ?? times.planned;
  return time && { ...rowClock(time), isActual: times.actual !== null };
}

function rowWindow(window: WireSummary['delivery']['window']): TimeWindow | null {
  return window && { from: window.from && rowClock(window.from), to: window.to && rowClock(window.to) };
}

/** Without what the list does not show: rows are many. */
function rowClock({ at, local, timezone, precision }: WireTime): LocalTime {
  return { at, local, timezone, precision };
}
