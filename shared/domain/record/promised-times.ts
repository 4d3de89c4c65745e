import type { CarrierTime, Classifier, TrackingEvent } from '../events/event.ts';
import { compareText, eventTimeMs, isLive, seenAt } from '../events/event-order.ts';
import { isIncomparable } from './lateness.ts';
import type { DelayBasis, PromisedTimes } from './shipment.ts';

const hourMs = 3_600_000;

/** The part of a time that a delay needs, the same on the wire. */
export type DatedTime = Pick<CarrierTime, 'at' | 'local'> & { precision: string };

/** The events that planned, estimated and actual time are read from, the first estimate, and the first promise. */
export type TimeEvents = Record<
  'planned' | 'estimated' | 'actual' | 'firstEstimated' | 'promise',
  TrackingEvent | undefined
>;

/**
 * The times of events with the same meaning, with the delay against the first promise: the plan or estimate that was
 * received first. `events` are not voided; superseded ones count only as promises. The last actual event counts.
 */
export function promisedTimes(events: readonly TrackingEvent[]): PromisedTimes {
  return timesOfEvents(timeEventsOf(events));
}

/** The events that count among those with the same meaning. */
export function timeEventsOf(events: readonly TrackingEvent[]): TimeEvents {
  const live = events.filter(isLive);
  return {
    planned: latestSeen(live, 'planned'),
    estimated: latestSeen(live, 'estimated'),
    actual: actualOf(live, true),
    firstEstimated: earliest(events.filter((event) => event.classifier === 'estimated')),
    promise: earliest(events.filter((event) => event.classifier !== 'actual')),
  };
}

export function timesOfEvents({ promise, firstEstimated, ...chosen }: TimeEvents): PromisedTimes {
  const stated = chosen.estimated ?? chosen.planned;
  const promised = promise?.time ?? null;
  const delayBasis: DelayBasis | null =
    promise === undefined ? null : promise.classifier === 'planned' ? 'planned' : 'first_estimated';
  return {
    planned: chosen.planned?.time ?? null,
    estimated: chosen.estimated?.time ?? null,
    actual: chosen.actual?.time ?? null,
    originalEstimated: firstEstimated?.time ?? null,
    source: stated === undefined ? null : stated.source === 'client' ? 'client' : 'carrier',
    promised,
    delayBasis,
    delayHours: delayAgainst(promised, (chosen.actual ?? stated)?.time ?? null),
  };
}

/** The delay, or null where the zone of only one of the times is known. */
function delayAgainst(promised: CarrierTime | null, expected: CarrierTime | null): number | null {
  const isUnknown = promised !== null && expected !== null && isIncomparable(promised, expected);
  return isUnknown ? null : delayHoursOf(promised, expected);
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
function earliest(promises: readonly TrackingEvent[]): TrackingEvent | undefined {
  return [...promises].sort(
    (left, right) =>
      compareText(left.receivedAt, right.receivedAt) ||
      Number(left.classifier !== 'planned') - Number(right.classifier !== 'planned') ||
      compareSeen(left, right),
  )[0];
}

function dayMsOf(time: DatedTime): number {
  return Date.parse(`${time.local.slice(0, 10)}T00:00:00Z`);
}
