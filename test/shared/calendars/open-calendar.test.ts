import { describe, expect, it } from 'vitest';
import { calendarBasisOf } from '#shared/calendars/calendar-basis.ts';
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
  ['AE', '2021-04-09', '2021-04-10', '2021-04-11'],
  ['BD', '2026-04-10', '2026-04-11', '2026-04-12'],
  ['MV', '2026-04-10', '2026-04-11', '2026-04-12'],
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

/** Days on which date-holidays 3.37.0 is wrong, by the list of the country's government. */
describe('a day that a government sets', () => {
  it.each([
    ['KR', '2026-02-16 2026-05-01 2026-06-03 2027-05-03', '2026-02-19'],
    ['SG', '2027-03-10 2027-05-17 2027-05-20', '2027-03-09'],
    ['AE', '2026-05-26 2026-12-03 2027-12-03', '2026-01-16 2026-02-18'],
    ['MY', '2026-03-20 2026-06-02 2027-03-11 2027-05-20', '2026-01-01 2027-02-24'],
    ['TW', '2026-02-27 2026-09-28 2026-12-25 2027-04-30', '2026-12-24'],
    ['TH', '2026-01-02 2026-06-01 2026-12-07 2027-05-20', '2026-12-08'],
    ['VN', '2026-04-27 2026-09-01 2027-05-03', '2026-04-28'],
    ['ID', '2026-05-27', '2026-03-20'],
    ['LK', '2026-05-28 2027-02-04', '2026-01-01 2027-04-01'],
    ['IN', '2026-03-04 2026-10-20 2026-11-24', '2026-11-25'],
    ['PH', '2026-12-08 2026-12-24 2027-11-02', '2026-12-23'],
    ['EC', '2026-10-09 2026-05-25', '2026-09-10'],
    ['EG', '2026-01-29 2026-10-08', '2026-01-25 2026-10-06'],
    ['MA', '2026-01-14 2027-01-14', '2026-01-13'],
    ['OM', '2026-03-19 2026-05-27', '2026-05-31'],
    ['CA', '2027-12-27', '2027-12-28'],
    ['ZA', '2026-11-04', '2026-11-05'],
    ['BD', '2026-08-05', '2026-10-08'],
  ])('of %s: off on %s, worked on %s', (country, off, worked) => {
    const days = (list: string, isWorking: boolean) =>
      list.split(' ').filter((day) => isWorkingDay(country, day) !== isWorking);
    expect([days(off, false), days(worked, true)]).toEqual([[], []]);
  });
});

it('states how sure the days off of a year are', () => {
  expect([calendarBasisOf('NL', '2027'), calendarBasisOf('KR', '2027'), calendarBasisOf('MY', '2027')]).toEqual([
    'checked',
    'checked',
    'checked',
  ]);
  // The notice of China, the full moons of Sri Lanka and the moon of Eid are not published, nor is any list of 2028.
  for (const [country, year] of [
    ['CN', '2027'],
    ['LK', '2027'],
    ['SA', '2027'],
    ['PK', '2026'],
    ['SG', '2028'],
  ] as const)
    expect(calendarBasisOf(country, year), country).toBe('provisional');
  expect(calendarBasisOf('IS', '2026')).toBe('unchecked');
});
