import { expect, it } from 'vitest';
import { calendarBasisOf } from '#shared/calendars/calendar-basis.ts';
import { openCalendar } from '#shared/calendars/open-calendar.ts';
import { isWeekend } from '#shared/calendars/weekends.ts';
import { addDays } from '#shared/domain/free-time/count-days.ts';
import { fileText } from '#test/support/repository.ts';

/** Days off of PyPI holidays 0.105 (category `public`) by country and year. */
const secondSource: Record<string, string> = JSON.parse(fileText('test/fixtures/calendars/second-source.json'));

const easterMonday = 'a bank holiday of England, Wales and Northern Ireland, where the container ports are';
const amazigh = 'decree 2.23.1000 names 14 January';
const deepavali = 'in the lists of the Cabinet for every state but Sarawak';
const goodFriday = 'no public holiday: it is not in the law on holidays';
const boxingDay = 'kept in every state, in South Australia under another name';
const generalHoliday = 'a general holiday on which offices close, though no statutory one';
const restDays = 'in lieu of the weekly rest: each employee takes it before or after Eid (article 24)';

/** Every difference from it: `+` a day off only in Landfall, `-` one only there, and the reason to keep it. */
const differences: Readonly<Record<string, [days: string, reason: string]>> = {
  'AU 2026': ['+12-28', boxingDay],
  'AU 2027': ['+12-27 +12-28', boxingDay],
  'EC 2027': ['-08-10 -12-24 -12-31', 'the law moves 10 August to the 9th, and neither Christmas nor the New Year'],
  'EG 2026': ['+03-19 +03-22 +03-23', 'Eid by decree of the Prime Minister of 11 March 2026: 19 to 23 March'],
  'EG 2027': ['+03-11', 'the third day of Eid, as in date-holidays'],
  'GB 2026': ['+04-06', easterMonday],
  'GB 2027': ['+03-29', easterMonday],
  'HK 2026': ['+04-03', generalHoliday],
  'HK 2027': ['+03-26', generalHoliday],
  'LK 2027': ['+01-15 +02-04 +03-26 +04-13 +04-14', 'it has no days of 2027 before the gazette'],
  'MA 2026': ['-01-13 +01-14', amazigh],
  'MA 2027': ['-01-13 +01-14', amazigh],
  'MY 2026': ['+11-09', deepavali],
  'MY 2027': ['+10-28', deepavali],
  'NL 2026': ['-04-03', goodFriday],
  'NL 2027': ['-03-26', goodFriday],
  'SA 2026': ['-03-23 -03-24 -05-31', restDays],
  'SA 2027': ['-03-14 -05-19', restDays],
};

const isWorkingDay = await openCalendar();

it('has the days off of a second source, but for those with a reason', () => {
  const found: Record<string, string> = {};
  for (const [key, list] of Object.entries(secondSource)) {
    const [country = '', year = ''] = key.split(' ');
    expect(calendarBasisOf(country, year), key).not.toBe('unchecked');
    const theirs = new Set(list.split(' '));
    const different: string[] = [];
    for (let day = `${year}-01-01`; day.startsWith(year); day = addDays(day, 1)) {
      if (isWeekend(country, day)) continue;
      const isOff = !isWorkingDay(country, day);
      if (isOff !== theirs.has(day.slice(5))) different.push(`${isOff ? '+' : '-'}${day.slice(5)}`);
    }
    if (different.length > 0) found[key] = different.join(' ');
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(differences).map(([key, [days]]) => [key, days])));
});
