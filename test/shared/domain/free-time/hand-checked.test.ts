import { expect, it } from 'vitest';
import { openCalendar } from '#shared/calendars/open-calendar.ts';
import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { type Case, type ClockWords, clocksOf, journeyOf, type Port, type Sketch } from './free-time-cases.ts';

const isWorkingDay = await openCalendar();

/** Without detention: it has not started. */
type Expected = ClockWords;
const notStarted = 'not_started - - -';
const unknown = 'unknown_terms - - -';

const discharged = (at: string, port: Port = 'NLRTM'): Sketch => ({ code: 'discharged', at, port });
const departed: Sketch = { code: 'departed', at: '2026-03-20T08:00Z', legRole: 'pol', port: 'CNSHA' };
const out = (at: string, port: Port = 'NLRTM'): Sketch => ({ code: 'gate_out_full', at, port });
const back = (at: string): Sketch => ({ code: 'gate_in_empty', at });
const stated = (by: 'line' | 'terminal', day: string, receivedAt = '2026-04-08T12:00:00.000Z'): Sketch => ({
  code: 'notice',
  at: '2026-04-08T09:00Z',
  receivedAt,
  details: { freeDays: [{ by, kind: 'demurrage', day }] },
});
const hold = (at: string, status: 'active' | 'released'): Sketch => ({
  code: 'notice',
  at,
  details: { holds: [{ type: 'customs', status }] },
});

// 8 April 2026 is a Wednesday. 10:00 in Rotterdam, in summer time, is 08:00 UTC.
const wed8 = discharged('2026-04-08T08:00Z');
const noon = (day: string) => `2026-${day}T10:00Z`;
const working: Partial<FreeTimeTerm> = { counting: 'working' };
const steps = [
  { fromDay: 1, amount: 50 },
  { fromDay: 4, amount: 75 },
  { fromDay: 8, amount: 120 },
];
const combined: Partial<FreeTimeTerm> = { kind: 'combined', freeDays: 10 };
const detention: Partial<FreeTimeTerm> = {
  kind: 'detention',
  startEvent: 'gate_out_full',
  freeDays: 4,
  rates: [{ fromDay: 1, amount: 90 }],
};
// Unloaded at 10:00 on the 8th in Chicago.
const byRail: readonly Sketch[] = [
  discharged('2026-04-01T17:00Z', 'USLAX'),
  { code: 'rail_departed', at: '2026-04-03T17:00Z', legRole: 'inland', port: 'USLAX' },
  { code: 'rail_arrived', at: '2026-04-07T17:00Z', legRole: 'destination', port: 'USCHI' },
  { code: 'rail_unloaded', at: '2026-04-08T15:00Z', legRole: 'destination', port: 'USCHI' },
];
const rampDay = (day: string): Sketch => ({
  code: 'notice',
  at: '2026-04-08T16:00Z',
  port: 'USCHI',
  details: { freeDays: [{ by: 'terminal', kind: 'demurrage', day }] },
});
const available: Partial<FreeTimeTerm> = { startEvent: 'available_for_pickup' };

const cases: Record<string, [Case, Expected]> = {
  'terms from the availability, which nobody reports': [
    { events: [wed8], terms: [available], now: noon('04-20') },
    { demurrage: unknown },
  ],
  'terms from the arrival, which nobody reports': [
    { events: [wed8], terms: [{ startEvent: 'arrived' }], now: noon('04-20') },
    { demurrage: unknown },
  ],
  'terms from the discharge, which nobody reports': [
    { events: [{ code: 'available_for_pickup', at: '2026-04-08T08:00Z' }], terms: [{}], now: noon('04-20') },
    { demurrage: unknown },
  ],
  'combined terms of a container that was collected without a reported discharge': [
    { events: [departed, out('2026-04-08T08:00Z')], terms: [combined], now: noon('04-20') },
    { combined: unknown },
  ],
  // Free 9, 10, 11, 12, 13. From the 10th to the 13th: 3 days left.
  'calendar days from the day after discharge': [
    { events: [wed8], terms: [{}], now: noon('04-10') },
    { demurrage: 'running 04-13 3 -' },
  ],
  // Free 8, 9, 10, 11, 12; 12 − 10 = 2, which is near.
  'calendar days from the day of discharge': [
    { events: [wed8], terms: [{ firstDay: 'same_day' }], now: noon('04-10') },
    { demurrage: 'expiring 04-12 2 -' },
  ],
  'the last free day itself': [
    { events: [wed8], terms: [{}], now: noon('04-13') },
    { demurrage: 'expiring 04-13 0 -' },
  ],
  // The 14th: 1 × 100.
  'the day after the last free day': [
    { events: [wed8], terms: [{}], now: noon('04-14') },
    { demurrage: 'over 04-13 -1 100 USD' },
  ],
  // 14 to 23: 10 × 100.
  'ten days over': [{ events: [wed8], terms: [{}], now: noon('04-23') }, { demurrage: 'over 04-13 -10 1000 USD' }],
  // The first day would be the 9th, so the last free day is the 8th.
  'no free days, on the day of discharge': [
    { events: [wed8], terms: [{ freeDays: 0 }], now: noon('04-08') },
    { demurrage: 'expiring 04-08 0 -' },
  ],
  // The first day is the 8th, so the last free day is the 7th, and the 8th costs 100.
  'no free days from the same day': [
    { events: [wed8], terms: [{ freeDays: 0, firstDay: 'same_day' }], now: noon('04-08') },
    { demurrage: 'over 04-07 -1 100 USD' },
  ],
  // The 9th and the 10th.
  'no free days, two days later': [
    { events: [wed8], terms: [{ freeDays: 0 }], now: noon('04-10') },
    { demurrage: 'over 04-08 -2 200 USD' },
  ],
  'collected in time': [
    { events: [wed8, out('2026-04-10T08:00Z')], terms: [{}], now: noon('04-30') },
    { demurrage: 'stopped 04-13 - -', detention: unknown },
  ],
  // 23:30 in Rotterdam.
  'collected in the last minutes of the last free day': [
    { events: [wed8, out('2026-04-13T21:30Z')], terms: [{}], now: noon('04-30') },
    { demurrage: 'stopped 04-13 - -', detention: unknown },
  ],
  // 14, 15 and 16, whatever the time now: 3 × 100.
  'collected late': [
    { events: [wed8, out('2026-04-16T08:00Z')], terms: [{}], now: noon('05-30') },
    { demurrage: 'stopped 04-13 - 300 USD', detention: unknown },
  ],

  // Thursday 9: Friday 10, (Saturday, Sunday,) 13, 14, 15, 16; 16 − 14 = 2.
  'working days over a weekend': [
    { events: [discharged('2026-04-09T08:00Z')], terms: [working], now: noon('04-14') },
    { demurrage: 'expiring 04-16 2 -' },
  ],
  // Wednesday 1: Thursday 2, Friday 3 (Good Friday is no holiday there), (4, 5, Easter Monday 6,) Tuesday 7.
  'Easter in the Netherlands': [
    { events: [discharged('2026-04-01T08:00Z')], terms: [{ ...working, freeDays: 3 }], now: noon('04-04') },
    { demurrage: 'running 04-07 3 -' },
  ],
  // Thursday 2, (Good Friday 3, 4, 5, Easter Monday 6,) 7, 8. The 9th costs 80.
  'Easter in Germany, in euros': [
    {
      events: [discharged('2026-04-01T08:00Z', 'DEHAM')],
      terms: [{ ...working, freeDays: 3, currency: 'EUR', rates: [{ fromDay: 1, amount: 80 }] }],
      now: noon('04-09'),
    },
    { demurrage: 'over 04-08 -1 80 EUR' },
  ],
  // Thursday 21 May: Friday 22, (23, 24, Memorial Day 25,) 26, 27, 28.
  'Memorial Day in the United States': [
    {
      events: [discharged('2026-05-21T17:00Z', 'USLAX')],
      terms: [{ ...working, freeDays: 4 }],
      now: '2026-05-27T19:00Z',
    },
    { demurrage: 'expiring 05-28 1 -' },
  ],
  // Wednesday 1 July: Thursday 2, (3 is observed for Saturday 4, Sunday 5,) Monday 6. The 7th costs.
  'an observed holiday in the United States': [
    {
      events: [discharged('2026-07-01T15:00Z', 'USNYC')],
      terms: [{ ...working, freeDays: 2 }],
      now: '2026-07-07T16:00Z',
    },
    { demurrage: 'over 07-06 -1 100 USD' },
  ],
  // Friday 1 May: (2, 3, early May bank holiday 4,) 5, 6, 7.
  'a bank holiday in the United Kingdom': [
    { events: [discharged('2026-05-01T08:00Z', 'GBFXT')], terms: [{ ...working, freeDays: 3 }], now: noon('05-05') },
    { demurrage: 'expiring 05-07 2 -' },
  ],
  // Friday 17: Monday 20, (Tiradentes 21,) 22, 23.
  'Tiradentes in Brazil': [
    {
      events: [discharged('2026-04-17T12:00Z', 'BRSSZ')],
      terms: [{ ...working, freeDays: 3 }],
      now: '2026-04-20T15:00Z',
    },
    { demurrage: 'running 04-23 3 -' },
  ],
  // Wednesday 8: Thursday 9, (Friday 10, Saturday 11,) Sunday 12, Monday 13.
  'a weekend of Friday and Saturday in Saudi Arabia': [
    { events: [discharged('2026-04-08T08:00Z', 'SADMM')], terms: [{ ...working, freeDays: 3 }], now: noon('04-12') },
    { demurrage: 'expiring 04-13 1 -' },
  ],
  // Sunday 24: Monday 25, (Eid al-Adha 26 to 29, Saturday 30,) Sunday 31.
  'Eid al-Adha in Saudi Arabia': [
    { events: [discharged('2026-05-24T08:00Z', 'SADMM')], terms: [{ ...working, freeDays: 2 }], now: noon('05-30') },
    { demurrage: 'expiring 05-31 1 -' },
  ],
  // Monday 25: (Arafah 26, Eid 27 to 29, Saturday 30, Sunday 31,) 1 June, 2 June. The 3rd would cost.
  'Eid al-Adha in the Emirates': [
    { events: [discharged('2026-05-25T08:00Z', 'AEJEA')], terms: [{ ...working, freeDays: 2 }], now: noon('06-02') },
    { demurrage: 'expiring 06-02 0 -' },
  ],
  // Friday 10: Saturday 11, (Sunday 12,) Monday 13, (Ambedkar Jayanti 14,) 15.
  'a weekend of Sunday alone in India': [
    { events: [discharged('2026-04-10T06:00Z', 'INNSA')], terms: [{ ...working, freeDays: 3 }], now: noon('04-15') },
    { demurrage: 'expiring 04-15 0 -' },
  ],
  // Wednesday 29: Thursday 30, (Labour Day 1 May to Tuesday 5,) Wednesday 6. Two days are over: Thursday 7, Friday 8.
  'Labour Day in China, in yuan': [
    {
      events: [discharged('2026-04-29T03:00Z', 'CNSHA')],
      terms: [{ ...working, freeDays: 2, currency: 'CNY' }],
      now: '2026-05-08T04:00Z',
    },
    { demurrage: 'over 05-06 -2 200 CNY' },
  ],
  // Friday 1 May: (2, 3, Golden Week 4, 5, 6,) 7, 8.
  'Golden Week in Japan': [
    {
      events: [discharged('2026-05-01T03:00Z', 'JPTYO')],
      terms: [{ ...working, freeDays: 2 }],
      now: '2026-05-07T03:00Z',
    },
    { demurrage: 'expiring 05-08 1 -' },
  ],
  // Saturday 11 and Sunday 12 don't count: 13, 14.
  'working days from a Saturday on': [
    {
      events: [discharged('2026-04-11T08:00Z')],
      terms: [{ ...working, freeDays: 2, firstDay: 'same_day' }],
      now: noon('04-13'),
    },
    { demurrage: 'expiring 04-14 1 -' },
  ],
  // The last free day is Friday 10. (11, 12,) 13: 1 × 100.
  'no free days from a Saturday on, charged by working day': [
    {
      events: [discharged('2026-04-11T08:00Z')],
      terms: [{ freeDays: 0, firstDay: 'same_day', chargedDays: 'working' }],
      now: noon('04-13'),
    },
    { demurrage: 'over 04-10 -3 100 USD' },
  ],
  // After Monday 13: 14, 15, 16, 17, (18, 19,) 20: 5 × 100.
  'charged by working day over a weekend': [
    { events: [wed8], terms: [{ chargedDays: 'working' }], now: noon('04-20') },
    { demurrage: 'over 04-13 -7 500 USD' },
  ],
  // Free 6 to 10. Saturday 11 and Sunday 12 cost nothing.
  'over, and nothing owed before Monday': [
    { events: [discharged('2026-04-05T08:00Z')], terms: [{ chargedDays: 'working' }], now: noon('04-12') },
    { demurrage: 'over 04-10 -2 -' },
  ],
  // Thursday 9, (Friday 10, Saturday 11,) Sunday 12, Monday 13.
  'the calendar of another country than that of the terminal': [
    { events: [wed8], terms: [{ ...working, freeDays: 3, calendarCountry: 'SA' }], now: noon('04-09') },
    { demurrage: 'running 04-13 4 -' },
  ],
  'working days at a place in no known country': [
    { events: [{ ...wed8, port: null }], terms: [working], now: noon('04-20') },
    { demurrage: unknown },
  ],

  // 14 to 23 are 10 days: 3 × 50 + 4 × 75 + 3 × 120 = 150 + 300 + 360.
  'three steps of rates': [
    { events: [wed8], terms: [{ rates: steps }], now: noon('04-23') },
    { demurrage: 'over 04-13 -10 810 USD' },
  ],
  // 3 × 50 + 1 × 75.
  'the first day of the second step': [
    { events: [wed8], terms: [{ rates: steps }], now: noon('04-17') },
    { demurrage: 'over 04-13 -4 225 USD' },
  ],
  // 3 × 33.35 = 100.05, which binary fractions make 100.05000000000001.
  'rates with cents': [
    { events: [wed8], terms: [{ rates: [{ fromDay: 1, amount: 33.35 }] }], now: noon('04-16') },
    { demurrage: 'over 04-13 -3 100.05 USD' },
  ],
  // 14, 15, 16, 17, 20: 3 × 50 + 2 × 75.
  'steps that count charged days': [
    { events: [wed8], terms: [{ rates: steps, chargedDays: 'working' }], now: noon('04-20') },
    { demurrage: 'over 04-13 -7 300 USD' },
  ],
  'no known rates': [
    { events: [wed8], terms: [{ rates: [], currency: null }], now: noon('04-20') },
    { demurrage: 'over 04-13 -7 -' },
  ],

  // 00:30 on the 9th in Rotterdam: 10 to 14.
  'discharged after midnight at the terminal': [
    { events: [discharged('2026-04-08T22:30Z')], terms: [{}], now: noon('04-14') },
    { demurrage: 'expiring 04-14 0 -' },
  ],
  // Discharged at 23:30 on the 8th, now 23:30 on the 13th in Los Angeles.
  'before midnight at the terminal, after it in UTC': [
    { events: [discharged('2026-04-09T06:30Z', 'USLAX')], terms: [{}], now: '2026-04-14T06:30Z' },
    { demurrage: 'expiring 04-13 0 -' },
  ],
  // 00:30 on the 14th.
  'after midnight at the terminal': [
    { events: [discharged('2026-04-09T06:30Z', 'USLAX')], terms: [{}], now: '2026-04-14T07:30Z' },
    { demurrage: 'over 04-13 -1 100 USD' },
  ],
  // 23:30 on Saturday 28 March in winter time: 29 to 2 April. Now 23:59 in summer time.
  'before midnight after the clocks went forward': [
    { events: [discharged('2026-03-28T22:30Z')], terms: [{}], now: '2026-04-02T21:59Z' },
    { demurrage: 'expiring 04-02 0 -' },
  ],
  // 00:01 on 3 April.
  'after midnight after the clocks went forward': [
    { events: [discharged('2026-03-28T22:30Z')], terms: [{}], now: '2026-04-02T22:01Z' },
    { demurrage: 'over 04-02 -1 100 USD' },
  ],
  // 23:30 on 4 April, 13 hours ahead: 5 to 9. Now 23:30, 12 hours ahead.
  'before midnight after the clocks went back': [
    { events: [discharged('2026-04-04T10:30Z', 'NZAKL')], terms: [{}], now: '2026-04-09T11:30Z' },
    { demurrage: 'expiring 04-09 0 -' },
  ],
  // 23:59 on the 13th in Los Angeles.
  'collected a minute before midnight': [
    {
      events: [discharged('2026-04-08T17:00Z', 'USLAX'), out('2026-04-14T06:59Z', 'USLAX')],
      terms: [{}],
      now: noon('04-20'),
    },
    { demurrage: 'stopped 04-13 - -', detention: unknown },
  ],
  // 00:01 on the 14th.
  'collected a minute after midnight': [
    {
      events: [discharged('2026-04-08T17:00Z', 'USLAX'), out('2026-04-14T07:01Z', 'USLAX')],
      terms: [{}],
      now: noon('04-20'),
    },
    { demurrage: 'stopped 04-13 - 100 USD', detention: unknown },
  ],
  // The 8th, although noon UTC is the 9th in Auckland. Now noon on the 13th there.
  'discharged on a date without a time of day': [
    { events: [discharged('2026-04-08', 'NZAKL')], terms: [{}], now: '2026-04-13T00:00Z' },
    { demurrage: 'expiring 04-13 0 -' },
  ],

  // 9 to 18, whenever it was collected.
  'a combined clock after collection': [
    { events: [wed8, out('2026-04-12T08:00Z')], terms: [combined], now: noon('04-17') },
    { combined: 'expiring 04-18 1 -' },
  ],
  // 19 and 20.
  'a combined clock until the empty return': [
    { events: [wed8, out('2026-04-12T08:00Z'), back('2026-04-20T08:00Z')], terms: [combined], now: noon('04-30') },
    { combined: 'stopped 04-18 - 200 USD' },
  ],
  'a combined clock of the carrier before the demurrage of any carrier': [
    { events: [wed8], terms: [{}, { ...combined, carrier: 'MAEU' }], now: noon('04-10') },
    { combined: 'running 04-18 8 -' },
  ],
  'the demurrage of the place before a combined clock of its country': [
    { events: [wed8], terms: [{ place: 'NLRTM' }, { ...combined, country: 'NL' }], now: noon('04-10') },
    { demurrage: 'running 04-13 3 -' },
  ],
  // Free 11 to 14. 15 and 16: 2 × 90.
  'detention after collection': [
    { events: [wed8, out('2026-04-10T08:00Z')], terms: [{}, detention], now: noon('04-16') },
    { demurrage: 'stopped 04-13 - -', detention: 'over 04-14 -2 180 USD' },
  ],
  // 15, 16, 17: 3 × 90.
  'detention until a late return': [
    { events: [wed8, out('2026-04-10T08:00Z'), back('2026-04-17T08:00Z')], terms: [{}, detention], now: noon('04-30') },
    { demurrage: 'stopped 04-13 - -', detention: 'stopped 04-14 - 270 USD' },
  ],
  // Demurrage on 14 and 15: 2 × 100 USD. Detention free 16 to 19, then 20, 21, 22: 3 × 90 EUR.
  'costs in two currencies': [
    { events: [wed8, out('2026-04-15T08:00Z')], terms: [{}, { ...detention, currency: 'EUR' }], now: noon('04-22') },
    { demurrage: 'stopped 04-13 - 200 USD', detention: 'over 04-19 -3 270 EUR' },
  ],

  'terms that end while the clock runs': [
    {
      events: [wed8],
      terms: [{ validTo: '2026-04-09' }, { freeDays: 2, validFrom: '2026-04-10' }],
      now: noon('04-11'),
    },
    { demurrage: 'expiring 04-13 2 -' },
  ],
  // 11 and 12 are free, 13 and 14 cost.
  'terms that begin with the day of discharge': [
    {
      events: [discharged('2026-04-10T08:00Z')],
      terms: [{ validTo: '2026-04-09' }, { freeDays: 2, validFrom: '2026-04-10' }],
      now: noon('04-14'),
    },
    { demurrage: 'over 04-12 -2 200 USD' },
  ],
  'terms that ended before the clock started': [
    { events: [wed8], terms: [{ validTo: '2026-04-07' }], now: noon('04-10') },
    { demurrage: unknown },
  ],

  // Available on the 9th, released on the 11th: 12 to 16.
  'a released hold that starts the clock': [
    {
      events: [
        hold('2026-04-08T09:00Z', 'active'),
        { code: 'available_for_pickup', at: '2026-04-09T08:00Z' },
        hold('2026-04-11T08:00Z', 'released'),
      ],
      terms: [available],
      now: noon('04-14'),
    },
    { demurrage: 'expiring 04-16 2 -' },
  ],
  'a hold that is still active': [
    {
      events: [hold('2026-04-08T09:00Z', 'active'), { code: 'available_for_pickup', at: '2026-04-09T08:00Z' }],
      terms: [available],
      now: noon('04-20'),
    },
    { demurrage: notStarted },
  ],
  // 10 to 14.
  'a hold after the clock has started': [
    {
      events: [{ code: 'available_for_pickup', at: '2026-04-09T08:00Z' }, hold('2026-04-10T08:00Z', 'active')],
      terms: [available],
      now: noon('04-13'),
    },
    { demurrage: 'expiring 04-14 1 -' },
  ],
  'a hold under terms that count from discharge': [
    { events: [wed8, hold('2026-04-08T09:00Z', 'active')], terms: [{}], now: noon('04-14') },
    { demurrage: 'over 04-13 -1 100 USD' },
  ],

  // The day after the 11th: 1 × 100.
  'the terminal’s day before the line’s and the calculated one': [
    { events: [wed8, stated('line', '2026-04-15'), stated('terminal', '2026-04-11')], terms: [{}], now: noon('04-12') },
    { demurrage: 'over 04-11 -1 100 USD' },
  ],
  'the line’s day before the calculated one': [
    { events: [wed8, stated('line', '2026-04-15')], terms: [{}], now: noon('04-14') },
    { demurrage: 'expiring 04-15 1 -' },
  ],
  'a manual day before all others': [
    {
      events: [wed8, stated('terminal', '2026-04-11')],
      terms: [{}],
      manual: [{ kind: 'demurrage', day: '2026-04-18' }],
      now: noon('04-14'),
    },
    { demurrage: 'running 04-18 4 -' },
  ],
  'a stated day without terms': [
    { events: [wed8, stated('line', '2026-04-10')], now: noon('04-12') },
    { demurrage: 'over 04-10 -2 -' },
  ],
  'a manual day without any event': [
    {
      events: [departed],
      manual: [{ kind: 'demurrage', day: '2026-04-10' }],
      now: noon('04-09'),
    },
    { demurrage: 'expiring 04-10 1 -' },
  ],
  'a later statement of the terminal': [
    {
      events: [
        stated('terminal', '2026-04-16', '2026-04-10T00:00:00.000Z'),
        stated('terminal', '2026-04-11', '2026-04-08T00:00:00.000Z'),
        wed8,
      ],
      now: noon('04-13'),
    },
    { demurrage: 'running 04-16 3 -' },
  ],

  'a voided start': [
    { events: [departed, { ...wed8, voidedAt: '2026-04-09T00:00:00.000Z' }], terms: [{}], now: noon('04-20') },
    { demurrage: notStarted },
  ],
  // 11 to 15.
  'a voided start that was corrected': [
    {
      events: [{ ...wed8, voidedAt: '2026-04-09T00:00:00.000Z' }, discharged('2026-04-10T08:00Z')],
      terms: [{}],
      now: noon('04-12'),
    },
    { demurrage: 'running 04-15 3 -' },
  ],
  'unknown terms': [{ events: [wed8], now: noon('04-20') }, { demurrage: unknown }],
  'not started': [{ events: [departed], now: noon('04-20') }, { demurrage: notStarted }],
  // 14, 15, 16.
  'tracking that ended while the clock ran': [
    { events: [wed8], terms: [{}], now: noon('04-16'), isTrackingEnded: true },
    { demurrage: 'over 04-13 -3 300 USD+' },
  ],
  // 9 and 10 are free for a reefer, 11 and 12 cost.
  'the terms of a reefer': [
    { events: [{ ...wed8, isoType: '45R1' }], terms: [{}, { equipment: 'reefer', freeDays: 2 }], now: noon('04-12') },
    { demurrage: 'over 04-10 -2 200 USD' },
  ],
  // 9 to 15.
  'the terms of the carrier before those of the place': [
    {
      events: [wed8],
      terms: [
        { place: 'NLRTM', freeDays: 2 },
        { carrier: 'MAEU', freeDays: 7 },
        { carrier: 'HLCU', place: 'NLRTM', freeDays: 3 },
      ],
      now: noon('04-10'),
    },
    { demurrage: 'running 04-15 5 -' },
  ],
  // Unloaded at 10:00 on the 8th in Chicago: 9 and 10 are free, the 11th costs.
  'a ramp after the carriage by rail': [
    {
      events: byRail,
      terms: [{ startEvent: 'rail_unloaded', place: 'USCHI', freeDays: 2 }],
      now: '2026-04-11T17:00Z',
    },
    { demurrage: 'over 04-10 -1 100 USD' },
  ],
  // It left the port on the 3rd, one day after the last free day: 1 × 100.
  'a port that the container left by rail': [
    {
      events: [
        discharged('2026-04-01T17:00Z', 'USLAX'),
        { code: 'rail_departed', at: '2026-04-03T17:00Z', legRole: 'inland', port: 'USLAX' },
      ],
      terms: [{ freeDays: 1 }],
      now: '2026-04-11T17:00Z',
    },
    { demurrage: 'stopped 04-02 - 100 USD' },
  ],
  // At the ramp from the 8th: 9, 10 and 11 are free by the terminal, so the 12th costs what nobody knows. At the port,
  // 2 is free, and it left on the 3rd: 1 × 100.
  'a ramp without terms, after a port with some': [
    {
      events: [...byRail, { ...rampDay('2026-04-11'), at: '2026-04-08T16:00Z' }],
      terms: [{ freeDays: 1 }],
      now: '2026-04-12T17:00Z',
    },
    { port: 'stopped 04-02 - 100 USD', demurrage: 'over 04-11 -1 -' },
  ],
  'a ramp of which nothing is known': [
    { events: byRail, terms: [{ freeDays: 1 }], now: '2026-04-12T17:00Z' },
    { port: 'stopped 04-02 - 100 USD', demurrage: unknown },
  ],
  // Port: 1 × 100. Ramp: 9 and 10 are free, 11 and 12 cost.
  'the terms of the port and those of the ramp': [
    {
      events: byRail,
      terms: [{ freeDays: 1 }, { startEvent: 'rail_unloaded', freeDays: 2 }],
      now: '2026-04-12T17:00Z',
    },
    { port: 'stopped 04-02 - 100 USD', demurrage: 'over 04-10 -2 200 USD' },
  ],
  // Collected at the ramp on the 11th: 1 × 100 there.
  'a collection at the ramp': [
    {
      events: [...byRail, { ...out('2026-04-11T17:00Z', 'USCHI'), legRole: 'destination' }],
      terms: [{ freeDays: 1 }, { startEvent: 'rail_unloaded', freeDays: 2 }],
      now: '2026-04-30T17:00Z',
    },
    { port: 'stopped 04-02 - 100 USD', demurrage: 'stopped 04-10 - 100 USD', detention: unknown },
  ],
  // The port stated the 4th while the container was there. It says nothing of the ramp.
  'a last free day of the port, after the container has left it': [
    {
      events: [...byRail, { ...rampDay('2026-04-04'), at: '2026-04-02T16:00Z', port: 'USLAX' }],
      terms: [{ startEvent: 'rail_unloaded', freeDays: 2 }],
      now: '2026-04-09T17:00Z',
    },
    { port: 'stopped 04-04 - -', demurrage: 'expiring 04-10 1 -' },
  ],
  // Set for the port, as the container reached the ramp on the 8th.
  'a manual day of the port, after the container has left it': [
    {
      events: byRail,
      terms: [{ freeDays: 1 }, { startEvent: 'rail_unloaded', freeDays: 2 }],
      manual: [{ kind: 'demurrage', day: '2026-04-03' }],
      now: '2026-04-09T17:00Z',
    },
    { port: 'stopped 04-03 - -', demurrage: 'expiring 04-10 1 -' },
  ],
  // 2 and 3 are free at the port, the 4th costs.
  'the terms of the port before those of a ramp that it has not reached': [
    {
      events: [discharged('2026-04-01T17:00Z', 'USLAX')],
      terms: [{ freeDays: 2 }, { startEvent: 'rail_unloaded', country: 'US', freeDays: 5 }],
      now: '2026-04-04T17:00Z',
    },
    { demurrage: 'over 04-03 -1 100 USD' },
  ],
  // The train's departure is not reported. It was gone on the 8th at the latest, so how late it left is unknown.
  'a port that the container left at an unknown time': [
    {
      events: byRail.filter(({ code }) => code !== 'rail_departed'),
      terms: [{ freeDays: 1 }, { startEvent: 'rail_unloaded', freeDays: 2 }],
      now: '2026-04-09T17:00Z',
    },
    { port: 'stopped 04-02 - -', demurrage: 'expiring 04-10 1 -' },
  ],
  // It was gone on the 20th at the latest, so how late it was collected is unknown.
  'a delivery without a reported collection': [
    { events: [wed8, { code: 'delivered', at: '2026-04-20T08:00Z' }], terms: [{}], now: noon('04-30') },
    { demurrage: 'stopped 04-13 - -', detention: unknown },
  ],
};

it.each(Object.entries(cases))('%s', (_, [given, { detention: later = notStarted, ...expected }]) => {
  expect(clocksOf(given, isWorkingDay)).toEqual('combined' in expected ? expected : { ...expected, detention: later });
});

it('covers at least 60 cases', () => {
  expect(Object.keys(cases).length).toBeGreaterThanOrEqual(60);
});

it('sums the costs of a shipment by currency', () => {
  const [given] = cases['costs in two currencies'] ?? [];
  expect(given && journeyOf(given, isWorkingDay).freeTime?.costs).toEqual([
    { amount: 270, currency: 'EUR', isFloor: false },
    { amount: 200, currency: 'USD', isFloor: false },
  ]);
});
