import type { PickupPoint, StatedFacts, TimeWindow, TrackingEvent } from '../events/event.ts';
import type { StatusDetail } from '../events/status-details.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import { isDelayed, isIncomparable } from '../record/lateness.ts';
import { type TimeEvents, timesOfEvents } from '../record/promised-times.ts';
import type { Delivery, Journey, PromisedTimes, Punctuality, ReturnState, Status } from '../record/shipment.ts';
import { identifyProofs } from './stated-facts.ts';
import type { StatusFold } from './status.ts';

/** `happened`: live actual events that count, in the order of folding. */
export type Handover = {
  happened: readonly TrackingEvent[];
  fold: Pick<StatusFold, 'status' | 'statusDetail'>;
  facts: StatedFacts | undefined;
};

const dayMs = 24 * 3_600_000;
const endedOtherwise: readonly Status[] = ['returned', 'failed', 'cancelled'];
const noLongerCollected: readonly Status[] = ['delivered', 'returned'];
const collectedDetails: readonly StatusDetail[] = [
  'awaiting_collection_at_locker',
  'awaiting_collection_at_pickup_point',
  'delivered_to_locker',
  'delivered_to_pickup_point',
];

/** Everything about the delivery. `chosen`: the events that its times are read from. */
export function composeDelivery(
  chosen: TimeEvents,
  mode: TransportMode,
  { happened, fold, facts }: Handover,
): Delivery {
  const times = timesOfEvents(chosen);
  const attempted = happened.filter((event) => event.code === 'delivery_attempted');
  const isDelivered = fold.status === 'delivered';
  return {
    ...times,
    window: windowOf(chosen.estimated ?? chosen.planned),
    onTime: punctualityOf(times, { mode, status: fold.status, promised: windowOf(chosen.promise) }),
    attempts: new Set(attempted.map((event) => event.time.at)).size,
    lastAttemptAt: attempted.at(-1)?.time ?? null,
    receivedBy: (isDelivered ? facts?.receivedBy : null) ?? null,
    leftAt: (isDelivered ? facts?.leftAt : null) ?? null,
    proof: isDelivered ? identifyProofs(facts).map(({ shown }) => shown) : [],
  };
}

/**
 * The delivery, otherwise what is expected, against the first promise. Late by the rule of `isDelayed`. Early: before
 * the promised window, without one before the promised day, and in other modes than parcel a day early. Unknown of what
 * ended otherwise, and where the zone of only one of the times is known.
 */
export function punctualityOf(
  times: PromisedTimes,
  { mode, status, promised }: { mode: TransportMode; status: Status; promised: TimeWindow | null },
): Punctuality {
  if (endedOtherwise.includes(status)) return 'unknown';
  const expected = times.actual ?? times.estimated ?? times.planned;
  if (times.promised === null || expected === null) return 'unknown';
  if (isDelayed(times, mode)) return 'late';
  if (isIncomparable(times.promised, expected)) return 'unknown';
  const from = promised?.from ?? null;
  const isEarly =
    from !== null && from.precision !== 'date' && expected.precision !== 'date'
      ? Date.parse(expected.at) < Date.parse(from.at)
      : mode === 'parcel'
        ? expected.local.slice(0, 10) < (from ?? times.promised).local.slice(0, 10)
        : times.delayHours !== null && times.delayHours * 3_600_000 <= -dayMs;
  return isEarly ? 'early' : 'on_time';
}

/**
 * The same at the time of reading, which no event reports: a delivery that is overdue by so much that the shipment is
 * late is not on time any more.
 */
export function punctualityAt({ delivery, eta }: Pick<Journey, 'delivery' | 'eta'>, late: boolean): Punctuality {
  const isOverdue = late && eta?.kind === 'delivery' && delivery.actual === null && delivery.onTime !== 'unknown';
  return isOverdue ? 'late' : delivery.onTime;
}

/** A delivery of which only the times are known. */
export function bareDelivery(times: PromisedTimes): Delivery {
  return {
    ...times,
    window: null,
    onTime: 'unknown',
    attempts: 0,
    lastAttemptAt: null,
    receivedBy: null,
    leftAt: null,
    proof: [],
  };
}

/**
 * Returns the place where the addressee can collect the shipment, and after a delivery or return where it was kept.
 * Otherwise the carrier's pickup point belongs to a route that the shipment no longer takes.
 */
export function pickupPointOf({ happened, fold, facts }: Handover): PickupPoint | null {
  const isKept =
    !noLongerCollected.includes(fold.status) ||
    happened.some(
      ({ details }) => details?.statusDetail !== undefined && collectedDetails.includes(details.statusDetail),
    );
  return isKept ? (facts?.pickupPoint ?? null) : null;
}

/** The way back. Null: it is not being returned. */
export function returnOf({ happened, facts }: Pick<Handover, 'happened' | 'facts'>): ReturnState | null {
  const started = happened.filter((event) => event.code === 'return_started');
  const completed = happened.filter((event) => event.code === 'returned');
  const back = new Set(completed.map(partOf));
  const isComplete = completed.length > 0 && (back.has(null) || started.every((event) => back.has(partOf(event))));
  if (started.length + completed.length === 0) return null;
  const { reason = null, trackingNumber = null, to = null } = facts?.returned ?? {};
  return {
    reason,
    trackingNumber,
    to,
    startedAt: started[0]?.time ?? null,
    completedAt: (isComplete ? completed.at(-1)?.time : null) ?? null,
  };
}

/** The parts of a journey that only carriers of parcels and air freight state, all unknown. */
export const nothingStated = {
  statusDetail: null,
  service: null,
  weightKg: null,
  piecesCount: null,
  pieces: [],
  pickupPoint: null,
  returned: null,
} as const satisfies Partial<Journey>;

function windowOf(event: TrackingEvent | undefined): TimeWindow | null {
  return event?.details?.window ?? null;
}

function partOf(event: TrackingEvent): string | null {
  return event.details?.piece ?? null;
}
