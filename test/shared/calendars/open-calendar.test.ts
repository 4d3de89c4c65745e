import { describe, expect, it } from 'vitest';
import { openCalendar } from '#shared/calendars/open-calendar.ts';

const isWorkingDay = await openCalendar();

/** By the published lists of public holidays of each country. */
describe('a national public holiday', () => {
  it.each([
    ['US', '2026-07-03', 'Independence Day, observed'],
    ['US', '2026-11-26', 'Thanksgiving'],
    ['NL', '2026-04-27', 'King’s Day'],
    ['DE', '2026-05-01', 'Labour Day'],
    ['GB', '2026-12-28', 'Boxing Day, substitute'],
    ['CN', '2026-02-17', 'Lunar New Year'],
    ['IN', '2026-01-26', 'Republic Day'],
    ['SA', '2026-09-23', 'National Day'],
    ['AE', '2026-12-02', 'National Day'],
    ['BR', '2026-09-07', 'Independence Day'],
    ['JP', '2026-05-05', 'Children’s Day'],
    ['TR', '2026-05-29', 'third day of Kurban Bayramı'],
  ])('of %s is no working day: %s, %s', (country, day) => {
    expect(isWorkingDay(country, day)).toBe(false);
  });

  it('counts each of its days', () => {
    const eid = ['2026-05-26', '2026-05-27', '2026-05-28', '2026-05-29'];
    expect(eid.filter((day) => isWorkingDay('SA', day))).toEqual([]);
    expect(isWorkingDay('SA', '2026-05-25')).toBe(true);
  });
});

it.each([
  ['SA', '2026-04-10', '2026-04-11', '2026-04-12'],
  ['IL', '2026-06-12', '2026-06-13', '2026-06-14'],
  ['US', '2026-04-11', '2026-04-12', '2026-04-13'],
  ['AE', '2026-04-11', '2026-04-12', '2026-04-13'],
])('the weekend of %s is %s and %s, and %s is a working day', (country, first, second, next) => {
  expect([first, second, next].map((day) => isWorkingDay(country, day))).toEqual([false, false, true]);
});

it('treats a half day, a bank holiday, an observance and the holiday of a region as working days', () => {
  // Christmas Eve (half a day), a bank holiday, Valentine’s Day, and Epiphany in three of the sixteen states.
  expect(isWorkingDay('IS', '2026-12-24')).toBe(true);
  expect(isWorkingDay('DE', '2026-12-24')).toBe(true);
  expect(isWorkingDay('US', '2028-02-14')).toBe(true);
  expect(isWorkingDay('DE', '2026-01-06')).toBe(true);
});

it('knows the weekends of a country without known holidays', () => {
  expect(isWorkingDay('AQ', '2026-12-25')).toBe(true);
  expect(isWorkingDay('AQ', '2026-12-26')).toBe(false);
});

it('counts the days off and the worked weekends that China sets for the year', () => {
  const off = ['2026-02-19', '2026-02-23', '2026-05-02', '2026-05-05', '2026-10-07'];
  expect(off.filter((day) => isWorkingDay('CN', day))).toEqual([]);
  const worked = ['2026-01-04', '2026-02-14', '2026-02-28', '2026-05-09', '2026-09-20', '2026-10-10'];
  expect(worked.filter((day) => !isWorkingDay('CN', day))).toEqual([]);
  // A day of the army, not a public holiday, and a weekend that nobody works.
  expect([isWorkingDay('CN', '2026-08-03'), isWorkingDay('CN', '2026-03-07')]).toEqual([true, false]);
});
