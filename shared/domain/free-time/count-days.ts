import type { Cost } from '../record/free-time.ts';
import type { FreeTimeTerm } from './terms.ts';

/** Returns whether a day counts. */
export type CountsDay = (day: string) => boolean;

const dayMs = 86_400_000;
/** No calendar has as many days off in a row. */
const maxDaysOff = 60;

/**
 * The last free day: the day of the start event or the next one is the first that may count, and the last one counted
 * is the last free day. Without free days it is the day before the first one. Null: the calendar has no working days.
 */
export function lastFreeDayOf(
  startDay: string,
  { freeDays, firstDay }: Pick<FreeTimeTerm, 'freeDays' | 'firstDay'>,
  counts: CountsDay,
): string | null {
  const first = firstDay === 'same_day' ? startDay : addDays(startDay, 1);
  let day = addDays(first, -1);
  for (let counted = 0; counted < freeDays; counted += 1) {
    const next = nextCounted(day, counts);
    if (next === null) return null;
    day = next;
  }
  return day;
}

/** Days after the last free day that are counted: two years, which bounds the calendars that one clock needs. */
export const maxLateDays = 731;

/** Counts the chargeable days after `lastFreeDay` up to and including `until`. Null counts every day. */
export function chargedDaysOf(lastFreeDay: string, until: string, counts: CountsDay | null): number {
  if (counts === null) return Math.max(0, daysBetween(lastFreeDay, until));
  let charged = 0;
  for (let day = addDays(lastFreeDay, 1); day <= until; day = addDays(day, 1)) if (counts(day)) charged += 1;
  return charged;
}

/** Returns the cost of so many days. Null: nothing is owed, or the rates are not known. */
export function costOf(
  days: number,
  { rates, currency }: Pick<FreeTimeTerm, 'rates' | 'currency'>,
): Omit<Cost, 'isFloor'> | null {
  if (days === 0 || rates.length === 0 || currency === null) return null;
  let amount = 0;
  for (const [index, { fromDay, amount: perDay }] of rates.entries()) {
    const toDay = Math.min(days, (rates[index + 1]?.fromDay ?? Number.POSITIVE_INFINITY) - 1);
    amount += Math.max(0, toDay - fromDay + 1) * perDay;
  }
  return { amount: roundAmount(amount), currency };
}

/** Without the traces of binary fractions. No currency has more than four decimals. */
export function roundAmount(amount: number): number {
  return Math.round(amount * 10_000) / 10_000;
}

/** Whole calendar days from one day to another; negative if it is earlier. */
export function daysBetween(from: string, to: string): number {
  return (msOf(to) - msOf(from)) / dayMs;
}

export function addDays(day: string, days: number): string {
  return new Date(msOf(day) + days * dayMs).toISOString().slice(0, 10);
}

function nextCounted(after: string, counts: CountsDay): string | null {
  let day = after;
  for (let step = 0; step < maxDaysOff; step += 1) {
    day = addDays(day, 1);
    if (counts(day)) return day;
  }
  return null;
}

function msOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
