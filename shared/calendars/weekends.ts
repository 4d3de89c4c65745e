import { setBounded } from '#shared/domain/set-bounded.ts';

/** Weekend days by country, 0 is Sunday. */
const weekends = new Map<string, ReadonlySet<number>>();
/** More than there are countries. */
const maxWeekends = 1000;

/**
 * Weekends that the CLDR 48 of Node.js does not have, from a day on: Bangladesh and the Maldives (Friday and Saturday),
 * Brunei (Friday and Sunday), Djibouti and Palestine (Friday and Saturday), and the United Arab Emirates, which moved
 * theirs on 1 January 2022. Sources: PyPI holidays 0.105, and for the Emirates their government. For Palestine,
 * decisions of its cabinet show that Sunday is worked; the pair itself is an assumption.
 */
const own: Readonly<Record<string, readonly { from: string; days: readonly number[] }[]>> = {
  AE: [
    { from: '', days: [5, 6] },
    { from: '2022-01-01', days: [6, 0] },
  ],
  BD: [{ from: '', days: [5, 6] }],
  BN: [{ from: '', days: [5, 0] }],
  DJ: [{ from: '', days: [5, 6] }],
  MV: [{ from: '', days: [5, 6] }],
  PS: [{ from: '', days: [5, 6] }],
};

/** Returns whether the day is one of the country's weekend. A state's own weekend is not known. */
export function isWeekend(country: string, day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  const dated = own[country]?.findLast(({ from }) => from <= day);
  return dated === undefined ? listedWeekend(country).has(weekday) : dated.days.includes(weekday);
}

function listedWeekend(country: string): ReadonlySet<number> {
  const known = weekends.get(country);
  if (known !== undefined) return known;
  return setBounded(weekends, { key: country, value: readWeekend(country), max: maxWeekends });
}

function readWeekend(country: string): ReadonlySet<number> {
  // 1 is Monday, 7 is Sunday.
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & { getWeekInfo(): { weekend: number[] } };
  return new Set(locale.getWeekInfo().weekend.map((day) => day % 7));
}
