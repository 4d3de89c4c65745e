import type { CarrierTime, TimeWindow } from '#shared/domain/events/event.ts';
import { compareText } from '#shared/domain/events/event-order.ts';
import { type Measured, notStated, unreadable } from './measured.ts';

/**
 * A window of time. One that ends before it begins is set aside; where an end is only a day, days are compared. A window
 * that is one whole day says no more than its day and counts as not stated.
 */
export function readWindow(from: CarrierTime | null, to: CarrierTime | null, raw: unknown): Measured<TimeWindow> {
  if (from === null && to === null) return notStated();
  if (from !== null && to !== null && isBefore(to, from)) return unreadable(raw, 'the window ends before it begins');
  return isOneDay(from, to) ? notStated() : { value: { from, to }, unreadable: [] };
}

function isBefore(time: CarrierTime, other: CarrierTime): boolean {
  if (time.precision !== 'date' && other.precision !== 'date') return Date.parse(time.at) < Date.parse(other.at);
  return compareText(time.local.slice(0, 10), other.local.slice(0, 10)) < 0;
}

function isOneDay(from: CarrierTime | null, to: CarrierTime | null): boolean {
  const ends = [from, to].filter((end) => end !== null);
  return ends.every((end) => end.precision === 'date') && new Set(ends.map((end) => end.local)).size === 1;
}
