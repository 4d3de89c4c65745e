import type { EventCode, LegRole, TrackingEvent } from '../events/event.ts';
import {
  compareText,
  eventTimeMs,
  futureToleranceMs,
  isLater,
  isLive,
  isSuspectFuture,
  uniqueEvents,
} from '../events/event-order.ts';
import { isOfWhole, type PartKind, subjectOf } from '../events/event-subject.ts';
import type { StatusDetail } from '../events/status-details.ts';
import { movementCodes } from '../record/exceptions.ts';
import type { Status } from '../record/shipment.ts';
import { leastAdvancedStatus, statusRanks, transitionRule } from './status-transitions.ts';

export type FoldEvent = Pick<
  TrackingEvent,
  | 'id'
  | 'code'
  | 'classifier'
  | 'legRole'
  | 'time'
  | 'container'
  | 'details'
  | 'dedupeKey'
  | 'receivedAt'
  | 'supersededBy'
  | 'voidedAt'
  | 'source'
>;

/** `detailedBy`: the event whose `statusDetail` still holds. */
type Thread = { status: Status; decidedBy: FoldEvent | null; detailedBy: FoldEvent | null };

/** Fold of the events of the whole shipment and its own for a container or a piece. */
export type PartFold = Omit<Thread, 'detailedBy'> & { number: string; statusDetail: StatusDetail | null };

/** Numbers of parts that events need not name. */
export type KnownParts = { containers?: readonly string[]; pieces?: readonly string[] };

export type StatusFold = {
  status: Status;
  statusDetail: StatusDetail | null;
  /** The event that decided the status of the shipment (of its least advanced part). Null: pending. */
  decidedBy: FoldEvent | null;
  /** Time of the deciding event (ISO UTC): when the cargo reached the status, not when the event was received. */
  statusChangedAt: string | null;
  /** Sorted by number, as pieces are. Empty: the carrier names none. */
  containers: PartFold[];
  pieces: PartFold[];
  /** When the first actual event that is too far ahead becomes eligible (ISO UTC). Null: there is none. */
  nextEligibleAt: string | null;
};

type RoleStatuses = Status | { [role in LegRole | 'else']?: Status | null } | null;

const onwardOrFinal = {
  origin: null,
  pol: null,
  transshipment: 'in_transit',
  inland: 'in_transit',
  // The place is unknown: it may be a transshipment.
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
  notice: null,
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
 * roles must be assigned. `known` are the parts that the client registered or the carrier lists; others are read from
 * the events.
 */
export function foldStatus(events: readonly FoldEvent[], nowMs: number, known: KnownParts = {}): StatusFold {
  const live = uniqueEvents(events).filter(isLive);
  const actual = live.filter((event) => event.classifier === 'actual');
  const eligible = actual.filter((event) => !isSuspectFuture(event, nowMs)).sort(compareFoldEvents);
  // Otherwise a part that only a future event names would hold back the others before that event counts.
  const naming = live.filter((event) => event.classifier !== 'actual' || !isSuspectFuture(event, nowMs));
  const containers = foldParts('container', { eligible, naming, known: known.containers ?? [] });
  const pieces = foldParts('piece', { eligible, naming, known: known.pieces ?? [] });
  return {
    ...decide([...containers, ...pieces], eligible),
    containers: containers.map(toPartFold),
    pieces: pieces.map(toPartFold),
    nextEligibleAt: firstEligibleAt(actual, nowMs),
  };
}

type Numbered = Thread & { number: string };
type PartEvents = { eligible: readonly FoldEvent[]; naming: readonly FoldEvent[]; known: readonly string[] };

function foldParts(kind: PartKind, { eligible, naming, known }: PartEvents): Numbered[] {
  const numbers = new Set(known);
  for (const event of naming) {
    const number = subjectOf(event)[kind];
    if (number !== null) numbers.add(number);
  }
  return [...numbers].sort(compareText).map((number) => {
    return { number, ...foldThread(eligible.filter((event) => isOfWhole(event) || subjectOf(event)[kind] === number)) };
  });
}

function toPartFold({ number, status, decidedBy, detailedBy }: Numbered): PartFold {
  return { number, status, decidedBy, statusDetail: detailedBy?.details?.statusDetail ?? null };
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

function foldThread(ordered: readonly FoldEvent[]): Thread {
  let status: Status = 'pending';
  let decidedBy: FoldEvent | null = null;
  let detailedBy: FoldEvent | null = null;
  let isReturned = false;
  for (const event of ordered) {
    const next = statusOf(event.code, event.legRole);
    const isStep =
      next !== null &&
      (mayFollow(status, next, decidedBy, event) || (!isReturned && endsReturn(status, event, decidedBy)));
    isReturned ||= status === 'returned' && event.code === 'returned';
    // An older status that came late says nothing about the present one.
    if (next !== null && next !== status && !isStep) continue;
    if (event.details?.statusDetail !== undefined) detailedBy = event;
    else if (detailedBy !== null && endsDetail(event, detailedBy, { status, isStep })) detailedBy = null;
    if (next === null || !isStep) continue;
    status = next;
    decidedBy = event;
  }
  return { status, decidedBy, detailedBy };
}

/**
 * True when a detail no longer holds: the cargo has another status or has moved since. An event without a status, such
 * as a hold, also explains the scan of the same minute.
 */
function endsDetail(
  event: FoldEvent,
  detailedBy: FoldEvent,
  { status, isStep }: { status: Status; isStep: boolean },
): boolean {
  const isLater = eventTimeMs(event) > eventTimeMs(detailedBy);
  if (isStep) return isLater || statusOf(detailedBy.code, detailedBy.legRole) !== null;
  return isLater && movementCodes.includes(event.code) && statusRanks[status] < statusRanks.delivered;
}

/** A return that only began may still end in a delivery, unless it is the one to the sender. */
function endsReturn(status: Status, event: FoldEvent, decidedBy: FoldEvent | null): boolean {
  const isOfConsignee = event.code === 'delivered' && event.legRole !== 'origin';
  return status === 'returned' && isOfConsignee && decidedBy?.code === 'return_started' && isLater(event, decidedBy);
}

function mayFollow(from: Status, to: Status, decidedBy: FoldEvent | null, event: FoldEvent): boolean {
  switch (transitionRule(from, to)) {
    case 'always':
      return true;
    case 'newer':
      return decidedBy === null || isLater(event, decidedBy);
    case 'cancellation':
      return event.code === 'cancelled';
    default:
      return false;
  }
}

function decide(
  parts: readonly Thread[],
  eligible: readonly FoldEvent[],
): Pick<StatusFold, 'status' | 'statusDetail' | 'decidedBy' | 'statusChangedAt'> {
  const status = leastAdvancedStatus(parts.map((part) => part.status));
  const deciding = parts.length === 0 ? [foldThread(eligible)] : parts.filter((part) => part.status === status);
  // The last part to reach the status brought the shipment there.
  const decidedBy = lastOf(deciding.map((part) => part.decidedBy));
  const detailedBy = lastOf(deciding.map((part) => part.detailedBy));
  return {
    status: deciding[0]?.status ?? status,
    statusDetail: detailedBy?.details?.statusDetail ?? null,
    decidedBy,
    statusChangedAt: decidedBy?.time.at ?? null,
  };
}

function lastOf(events: readonly (FoldEvent | null)[]): FoldEvent | null {
  return (
    events
      .filter((event) => event !== null)
      .sort(compareFoldEvents)
      .at(-1) ?? null
  );
}

function firstEligibleAt(actual: readonly FoldEvent[], nowMs: number): string | null {
  const future = actual.filter((event) => isSuspectFuture(event, nowMs)).map(eventTimeMs);
  return future.length === 0 ? null : new Date(Math.min(...future) - futureToleranceMs).toISOString();
}
