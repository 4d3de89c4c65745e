import type { CarrierTime } from './event.ts';

/** The calendar day at the place of the event, `2026-04-15`. It is a day in UTC if the place's time zone is unknown. */
export function localDay({ local }: Pick<CarrierTime, 'local'>): string {
  return local.slice(0, 10);
}

/** A date without a time, as bounds of a filter can be. */
export function isDay(bound: string): boolean {
  return bound.length === 10;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Time zones are at most 14 hours ahead of UTC and 12 hours behind. */
const maxAheadMs = 14 * hourMs;
const maxBehindMs = 12 * hourMs;

/** The first and last instant (ISO UTC) that are on the day anywhere on earth. */
export function instantsOfDay(day: string): { first: string; last: string } {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return {
    first: new Date(midnight - maxAheadMs).toISOString(),
    last: new Date(midnight + dayMs - 1 + maxBehindMs).toISOString(),
  };
}

/** The first and last calendar day on which the instant (ISO UTC) is anywhere on earth. */
export function daysOfInstant(instant: string): { first: string; last: string } {
  const atMs = Date.parse(instant);
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { first: dayOf(atMs - maxBehindMs), last: dayOf(atMs + maxAheadMs) };
}
