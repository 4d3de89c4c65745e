import { addDays, daysBetween } from '#shared/domain/free-time/count-days.ts';
import { arrivingStatuses } from '#shared/domain/lists/overview-bounds.ts';
import { type ListSearch, readListSearch, writeListSearch } from '../shipments/list-search.ts';

export type Period = 'month' | 'week';

/** The weeks of a page, from Monday: those of the month that the day is in, or its week. */
export function weeksOf(day: string, period: Period): string[][] {
  const first = period === 'week' ? day : `${day.slice(0, 8)}01`;
  const start = addDays(first, -weekdayOf(first));
  const last = period === 'week' ? day : addDays(monthAfter(day, 1), -1);
  const count = Math.floor(daysBetween(start, last) / 7) + 1;
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_, at) => addDays(start, week * 7 + at)),
  );
}

/** A day of the page before (−1) or after (1). */
export function turned(day: string, period: Period, by: 1 | -1): string {
  return period === 'week' ? addDays(day, 7 * by) : monthAfter(day, by);
}

/** 0 for Monday. */
export function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

/** The first day of the month that is this many months later. */
function monthAfter(day: string, by: number): string {
  const date = new Date(`${day.slice(0, 8)}01`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 10);
}

/** An untrusted day of the URL; another text is today. */
export function readDay(text: unknown, today: string): string {
  const isDay = typeof text === 'string' && /^[12]\d{3}-\d\d-\d\d$/.test(text);
  return isDay && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text ? text : today;
}

/** Returns the filters of the list that also narrow the calendar: all but its own dates. */
export function calendarFilter(raw: Readonly<Record<string, unknown>>): ListSearch {
  return { ...readListSearch(raw), view: 'all', status: [], eta: '', arrived: '', peek: null };
}

export type CountName = 'expected' | 'late' | 'arrived';

/** The URL of the list of the shipments that a number of the calendar counts. */
export function listOf(filter: ListSearch, name: CountName, day: string): Record<string, string> {
  const days = `${day}..${day}`;
  if (name === 'arrived') return writeListSearch({ ...filter, view: 'any', arrived: days, sort: '-created_at' });
  const view = name === 'late' ? ('late' as const) : ('current' as const);
  return writeListSearch({ ...filter, view, status: [...arrivingStatuses], eta: days, sort: 'eta' });
}
