import type { CarrierTime, TimeWindow } from '#shared/domain/tracking/event.ts';
import { compareText } from '#shared/domain/tracking/event-order.ts';
import { type Measured, notStated, unreadable } from './measured.ts';

/** A window of time. One that ends before it begins is set aside; where an end is only a day, days are compared. */
export function readWindow(from: CarrierTime | null, to: CarrierTime | null, raw: unknown): Measured<TimeWindow> {
  if (from === null && to === null) return notStated();
  if (from !== null && to !== null && isBefore(to, from)) return unreadable(raw, 'the window ends before it begins');
  return { value: { from, to }, setAside: [] };
}

function isBefore(time: CarrierTime, other: CarrierTime): boolean {
  if (time.precision !== 'date' && other.precision !== 'date') return Date.parse(time.at) < Date.parse(other.at);
  return compareText(time.local.slice(0, 10), other.local.slice(0, 10)) < 0;
}
