import type { EventCode, LegRole, TrackingEvent } from '../tracking/event.ts';
import {
  compareText,
  eventTimeMs,
  futureToleranceMs,
  isLive,
  isSuspectFuture,
  uniqueEvents,
} from '../tracking/event-order.ts';
import type { Status } from './shipment.ts';
import { leastAdvancedStatus, statusRanks, transitionRule } from './status-transitions.ts';

export type FoldEvent = Pick<
  TrackingEvent,
  | 'id'
  | 'code'
  | 'classifier'
  | 'legRole'
  | 'time'
  | 'container'
  | 'dedupeKey'
  | 'receivedAt'
  | 'supersededBy'
  | 'voidedAt'
  | 'source'
>;

export type ContainerFold = { number: string; status: Status; decidedBy: FoldEvent | null };

export type StatusFold = {
  status: Status;
  /** The event that decided the status of the shipment (of its least advanced container). Null: pending. */
  decidedBy: FoldEvent | null;
  /** Time of the deciding event (ISO UTC): when the cargo reached the status, not when the event was received. */
  statusChangedAt: string | null;
  /** Sorted by number. Empty: the carrier names no container. */
  containers: ContainerFold[];
  /** When the first actual event that is too far ahead becomes eligible (ISO UTC). Null: there is none. */
  nextEligibleAt: string | null;
};

type RoleStatuses = Status | { [role in LegRole | 'else']?: Status | null } | null;

const onwardOrFinal = {
  origin: null,
  pol: null,
  transshipment: 'in_transit',
  inland: 'in_transit',
  // Nobody knows where: it may be a transshipment.
  unknown: 'in_transit',
  else: 'arrived',
} as const;
const railOnwardOrFinal = { ...onwardOrFinal, origin: 'in_transit', pol: 'in_transit' } as const;
const atTheEnd = (status: Status) => ({ origin: null, pol: null, transshipment: null, else: status });

const statusTable: Record<EventCode, RoleStatuses> = {
  information_received: 'booked',
  booking_confirmed: 'booked',
  document_issued: 'booked',
  gate_out_empty: 'booked',
  stuffed: 'booked',
  received_from_shipper: 'booked',
  gate_in_full: { transshipment: 'in_transit', pod: 'arrived', destination: 'arrived', else: 'booked' },
  manifested: 'booked',
  picked_up: { pod: null, destination: null, else: 'in_transit' },
  loaded: 'in_transit',
  // A vessel leaves the port of discharge without the cargo. An onward leg from there has the role inland.
  departed: { pod: null, destination: null, else: 'in_transit' },
  in_transit: 'in_transit',
  arrived: onwardOrFinal,
  discharged: onwardOrFinal,
  rail_loaded: 'in_transit',
  rail_departed: 'in_transit',
  rail_arrived: railOnwardOrFinal,
  rail_unloaded: railOnwardOrFinal,
  received_from_flight: onwardOrFinal,
  customs_inspection: null,
  customs_hold: null,
  customs_released: null,
  consignee_notified: atTheEnd('available_for_pickup'),
  documents_delivered: atTheEnd('available_for_pickup'),
  available_for_pickup: atTheEnd('available_for_pickup'),
  not_available: atTheEnd('arrived'),
  gate_out_full: { origin: null, pol: null, transshipment: 'in_transit', else: 'out_for_delivery' },
  arrived_at_facility: { pod: 'arrived', destination: 'arrived', else: 'in_transit' },
  departed_facility: 'in_transit',
  out_for_delivery: 'out_for_delivery',
  delivery_attempted: 'out_for_delivery',
  delivered: 'delivered',
  gate_in_empty: atTheEnd('delivered'),
  return_started: 'returned',
  returned: 'returned',
  delayed: null,
  cancelled: 'cancelled',
  lost: 'failed',
  destroyed: 'failed',
  undeliverable: 'failed',
  exception: null,
  other: null,
};

/** The status that an actual event stands for. Null: it says nothing about where the cargo is. */
export function statusOf(code: EventCode, legRole: LegRole): Status | null {
  const entry = statusTable[code];
  if (entry === null || typeof entry === 'string') return entry;
  const stated = entry[legRole];
  return stated === undefined ? (entry.else ?? null) : stated;
}

/**
 * Computes the status from all events: the same events in any order, with any duplicates, give the same result. Leg
 * roles must be assigned. `knownContainers` are those that the client registered; the carrier's are read from the
 * events.
 */
export function foldStatus(
  events: readonly FoldEvent[],
  nowMs: number,
  knownContainers: readonly string[] = [],
): StatusFold {
  const live = uniqueEvents(events).filter(isLive);
  const actual = live.filter((event) => event.classifier === 'actual');
  const eligible = actual.filter((event) => !isSuspectFuture(event, nowMs)).sort(compareFoldEvents);
  const numbers = new Set(knownContainers);
  // Otherwise a container that only a future event names would hold back the others before that event counts.
  const naming = live.filter((event) => event.classifier !== 'actual' || !isSuspectFuture(event, nowMs));
  for (const event of naming) if (event.container !== null) numbers.add(event.container);

  const containers = [...numbers].sort(compareText).map((number) => {
    return {
      number,
      ...foldThread(eligible.filter((event) => event.container === null || event.container === number)),
    };
  });
  return { ...decide(containers, eligible), containers, nextEligibleAt: firstEligibleAt(actual, nowMs) };
}

/** The order of folding: event time, then rank of the status, then dedupe key. */
export function compareFoldEvents(left: FoldEvent, right: FoldEvent): number {
  return (
    eventTimeMs(left) - eventTimeMs(right) ||
    foldRank(left) - foldRank(right) ||
    compareText(left.dedupeKey, right.dedupeKey)
  );
}

function foldRank(event: FoldEvent): number {
  const status = statusOf(event.code, event.legRole);
  return status === null ? -1 : statusRanks[status];
}

function foldThread(ordered: readonly FoldEvent[]): { status: Status; decidedBy: FoldEvent | null } {
  let status: Status = 'pending';
  let decidedBy: FoldEvent | null = null;
  for (const event of ordered) {
    const next = statusOf(event.code, event.legRole);
    if (next === null || !mayFollow(status, next, decidedBy, event)) continue;
    status = next;
    decidedBy = event;
  }
  return { status, decidedBy };
}

function mayFollow(from: Status, to: Status, decidedBy: FoldEvent | null, event: FoldEvent): boolean {
  switch (transitionRule(from, to)) {
    case 'always':
      return true;
    case 'newer':
      return decidedBy === null || eventTimeMs(event) > eventTimeMs(decidedBy);
    case 'cancellation':
      return event.code === 'cancelled';
    default:
      return false;
  }
}

function decide(
  containers: readonly ContainerFold[],
  eligible: readonly FoldEvent[],
): Pick<StatusFold, 'status' | 'decidedBy' | 'statusChangedAt'> {
  if (containers.length === 0) {
    const thread = foldThread(eligible);
    return { ...thread, statusChangedAt: thread.decidedBy?.time.at ?? null };
  }
  const status = leastAdvancedStatus(containers.map((container) => container.status));
  // The last container to reach the status brought the shipment there.
  const decidedBy = containers
    .filter((container) => container.status === status)
    .map((container) => container.decidedBy)
    .filter((event) => event !== null)
    .sort(compareFoldEvents)
    .at(-1);
  return { status, decidedBy: decidedBy ?? null, statusChangedAt: decidedBy?.time.at ?? null };
}

function firstEligibleAt(actual: readonly FoldEvent[], nowMs: number): string | null {
  const future = actual.filter((event) => isSuspectFuture(event, nowMs)).map(eventTimeMs);
  return future.length === 0 ? null : new Date(Math.min(...future) - futureToleranceMs).toISOString();
}
