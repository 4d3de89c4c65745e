/** The current time of the tests, to the minute. Every time of the portfolio is an offset in hours from it. */
export const baseMs = Math.floor(Date.now() / 60_000) * 60_000;
export const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** ISO UTC, this many hours from now. */
export function isoAt(hour: number): string {
  return new Date(baseMs + hour * hourMs).toISOString();
}

/** As the tools print it: `2026-04-15T08:00Z`. */
export function shownAt(hour: number): string {
  return `${isoAt(hour).slice(0, 16)}Z`;
}

/** `2026-04-15`. */
export function dayAt(hour: number): string {
  return isoAt(hour).slice(0, 10);
}

/** Hours from now to a UTC midnight, this many days from today's. */
export function midnightAfter(days: number): number {
  return (Math.floor(baseMs / dayMs) * dayMs + days * dayMs - baseMs) / hourMs;
}

const daysSinceMonday = (new Date(baseMs).getUTCDay() + 6) % 7;

/** Monday to Sunday of this week and of the previous one, in hours from now; the end is exclusive. */
export const thisWeek = { from: midnightAfter(-daysSinceMonday), to: midnightAfter(7 - daysSinceMonday) };
export const lastWeek = { from: thisWeek.from - 168, to: thisWeek.from };

/** Noon of the first Friday that is at least three days from now. */
export const friday = midnightAfter(daysSinceMonday <= 1 ? 4 - daysSinceMonday : 11 - daysSinceMonday) + 12;

export function isWithin(hour: number | null, range: { from: number; to: number }): boolean {
  return hour !== null && hour >= range.from && hour < range.to;
}
