import type { DelayBasis, PromisedTimes } from '../shipments/shipment.ts';
import type { CarrierTime, Classifier, TrackingEvent } from './event.ts';
import { compareText, eventTimeMs, isLive, seenAt } from './event-order.ts';

const hourMs = 3_600_000;

/** The part of a time that a delay needs, the same on the wire. */
export type DatedTime = Pick<CarrierTime, 'at' | 'local'> & { precision: string };

/**
 * The times of events with the same meaning, with the delay against the first promise: the plan or estimate that was
 * received first. `events` are not voided; superseded ones count only as promises. The last actual event counts.
 */
export function promisedTimes(events: readonly TrackingEvent[]): PromisedTimes {
  const live = events.filter(isLive);
  const plan = latestSeen(live, 'planned');
  const estimate = latestSeen(live, 'estimated');
  const [planned, estimated] = [plan?.time ?? null, estimate?.time ?? null];
  const actual = actualOf(live, true)?.time ?? null;
  const first = earliest(events.filter((event) => event.classifier !== 'actual'));
  const promised = first?.time ?? null;
  const delayBasis: DelayBasis | null = first && (first.classifier === 'planned' ? 'planned' : 'first_estimated');
  return {
    planned,
    estimated,
    actual,
    originalEstimated: earliest(events.filter((event) => event.classifier === 'estimated'))?.time ?? null,
    source: (estimate ?? plan) === undefined ? null : (estimate ?? plan)?.source === 'client' ? 'client' : 'carrier',
    promised,
    delayBasis,
    delayHours: delayHoursOf(promised, actual ?? estimated ?? planned),
  };
}

/**
 * Delay of a time against the promise, in whole hours. Negative: early. If either is only a date, full days count,
 * because no time of day was promised or reported.
 */
export function delayHoursOf(promised: DatedTime | null, expected: DatedTime | null): number | null {
  if (promised === null || expected === null) return null;
  const isByDay = promised.precision === 'date' || expected.precision === 'date';
  const hours = isByDay
    ? (dayMsOf(expected) - dayMsOf(promised)) / hourMs
    : (Date.parse(expected.at) - Date.parse(promised.at)) / hourMs;
  // `+ 0` turns a negative zero into zero.
  return Math.round(hours) + 0;
}

/** The event of this classifier that the carrier created last. */
export function latestSeen(events: readonly TrackingEvent[], classifier: Classifier): TrackingEvent | undefined {
  return events
    .filter((event) => event.classifier === classifier)
    .sort(compareSeen)
    .at(-1);
}

/** The first or the last actual event by its own time. */
export function actualOf(events: readonly TrackingEvent[], last: boolean): TrackingEvent | undefined {
  return events
    .filter((event) => event.classifier === 'actual')
    .sort((left, right) => eventTimeMs(left) - eventTimeMs(right) || compareText(left.dedupeKey, right.dedupeKey))
    .at(last ? -1 : 0);
}

/**
 * By when the carrier created it, otherwise when it was received. Equal times: the earlier event first, so that the
 * last is the later one.
 */
export function compareSeen(left: TrackingEvent, right: TrackingEvent): number {
  return (
    compareText(seenAt(left), seenAt(right)) ||
    compareText(left.receivedAt, right.receivedAt) ||
    eventTimeMs(left) - eventTimeMs(right) ||
    compareText(left.dedupeKey, right.dedupeKey)
  );
}

/** Of a plan and an estimate received together, the plan is the promise. */
function earliest(promises: readonly TrackingEvent[]): TrackingEvent | null {
  const [first] = [...promises].sort(
    (left, right) =>
      compareText(left.receivedAt, right.receivedAt) ||
      Number(left.classifier !== 'planned') - Number(right.classifier !== 'planned') ||
      compareSeen(left, right),
  );
  return first ?? null;
}

function dayMsOf(time: DatedTime): number {
  return Date.parse(`${time.local.slice(0, 10)}T00:00:00Z`);
}
