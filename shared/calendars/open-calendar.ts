import type Holidays from 'date-holidays';
import type { FreeTimeRules } from '#shared/domain/free-time/terms.ts';
import { setBounded } from '#shared/domain/set-bounded.ts';
import { ownYears } from './own-years.ts';
import { isWeekend } from './weekends.ts';

/** Three years of every country are 600. One costs up to 0.3 s (those with lunar calendars), most 1 to 5 ms. */
const maxYears = 2000;
/** Days off by country and year: `DE 2026`. */
const yearsOff = new Map<string, ReadonlySet<string>>();
/** The longest public holiday takes 9 days. */
const carriedDays = '-01-10';

type HolidaysClass = typeof Holidays;
let opening: Promise<FreeTimeRules['isWorkingDay']> | null = null;

/**
 * The calendar of every country: a day is working unless it is a weekend there or a national public holiday
 * (date-holidays, type `public`). Holidays of a state or region, bank holidays, half days and observances are working
 * days. Years of which the package is wrong come from `ownYears`. A country of which no holidays are known has
 * weekends only. Loaded on first use: it takes 0.2 s and 30 MB.
 */
export function openCalendar(): Promise<FreeTimeRules['isWorkingDay']> {
  opening ??= import('date-holidays').then(({ default: holidays }) => (country: string, day: string) => {
    const own = ownYears.get(`${country} ${day.slice(0, 4)}`);
    if (own?.worked.has(day)) return true;
    if (isWeekend(country, day)) return false;
    if (own !== undefined) return !own.off.has(day);
    const year = Number(day.slice(0, 4));
    if (daysOffOf(holidays, country, year).has(day)) return false;
    return day.slice(4) > carriedDays || !daysOffOf(holidays, country, year - 1).has(day);
  });
  return opening;
}

function daysOffOf(holidays: HolidaysClass, country: string, year: number): ReadonlySet<string> {
  const key = `${country} ${year}`;
  const known = yearsOff.get(key);
  if (known !== undefined) return known;
  return setBounded(yearsOff, { key, value: readDaysOff(holidays, country, year), max: maxYears });
}

function readDaysOff(holidays: HolidaysClass, country: string, year: number): ReadonlySet<string> {
  const days = new Set<string>();
  const calendar = new holidays(country, { types: ['public'] });
  for (const { date, start, end } of calendar.getHolidays(year) ?? []) {
    // From midnight, or from the sunset before, for so many whole days. With a change of the clock a day has 23 hours.
    const wholeDays = Math.floor(((end.getTime() - start.getTime()) / 3_600_000 + 1) / 24);
    for (let index = 0; index < wholeDays; index += 1)
      days.add(new Date(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) + index * 86_400_000).toISOString().slice(0, 10));
  }
  return days;
}
