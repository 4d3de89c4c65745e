/**
 * Formats of numbers, dates and times in the viewer's region. Words stay English: the month of a German is still "Apr",
 * between their own order of day and month and beside their own clock.
 */
type Habits = { numbers: string; isMonthFirst: boolean; hasTwelveHours: boolean };

const standard: Habits = { numbers: 'en-GB', isMonthFirst: false, hasTwelveHours: false };
let habits = standard;

/** Sets the locale of the page, a BCP 47 tag such as `de-AT`. An invalid or missing one has the standard habits. */
export function setLocale(tag: string | undefined): void {
  try {
    habits = tag === undefined ? standard : habitsOf(tag);
  } catch {
    habits = standard;
  }
}

function habitsOf(tag: string): Habits {
  const order = new Intl.DateTimeFormat(tag, { month: 'short', day: 'numeric' })
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type === 'month' || type === 'day');
  const { hour12: hasTwelveHours = false } = new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions();
  return {
    // Identifiers, codes and inputs are in Latin digits, so numbers are too.
    numbers: new Intl.Locale(tag, { numberingSystem: 'latn' }).toString(),
    isMonthFirst: order[0] === 'month',
    hasTwelveHours,
  };
}

/** For `toLocaleString` of numbers. */
export function numberLocale(): string {
  return habits.numbers;
}

/** `25 Apr`, `Apr 25`, `25 Apr 2026` or `Apr 25, 2026`. */
export function dayText({ day, month, year = '' }: { day: string; month: string; year?: string }): string {
  const words = habits.isMonthFirst ? `${month} ${day}` : `${day} ${month}`;
  if (year === '') return words;
  return habits.isMonthFirst ? `${words}, ${year}` : `${words} ${year}`;
}

/** A clock time of 24 hours, `13:05` or `13:05:07`, as the viewer reads it: `1:05 PM`. */
export function clockText(time: string): string {
  const [, hours, rest] = /^(\d\d)((?::\d\d)+)$/.exec(time) ?? [];
  if (!habits.hasTwelveHours || hours === undefined) return time;
  return `${Number(hours) % 12 || 12}${rest} ${Number(hours) < 12 ? 'AM' : 'PM'}`;
}
