import { expect, it } from 'vitest';
import { openCalendar } from '#shared/calendars/open-calendar.ts';
import type { EventDetails } from '#shared/domain/events/event.ts';
import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { type Case, type ClockWords, clocksOf, type Port, type Sketch } from './free-time-cases.ts';

const isWorkingDay = await openCalendar();

const discharged = (at: string, port: Port = 'NLRTM'): Sketch => ({ code: 'discharged', at, port });
const out = (at: string, port: Port = 'NLRTM'): Sketch => ({ code: 'gate_out_full', at, port });
const back = (at: string): Sketch => ({ code: 'gate_in_empty', at });
const notice = (at: string, details: EventDetails): Sketch => ({ code: 'notice', at, details });
const customs = (at: string, status: 'active' | 'pending' | 'released'): Sketch =>
  notice(at, { holds: [{ type: 'customs', status }] });
const detention: Partial<FreeTimeTerm> = {
  kind: 'detention',
  startEvent: 'gate_out_full',
  freeDays: 4,
  rates: [{ fromDay: 1, amount: 90 }],
};
const available: Partial<FreeTimeTerm> = { startEvent: 'available_for_pickup' };
const wed8 = discharged('2026-04-08T08:00Z');
const noon = (day: string) => `2026-${day}T10:00Z`;
const onTime = 'stopped 04-13 - -';
const notStarted = 'not_started - - -';
const unknown = 'unknown_terms - - -';
const elsewhere = (code: 'discharged' | 'loaded', at: string): Sketch => ({
  code,
  at,
  port: 'AEJEA',
  legRole: 'transshipment',
});

// Each case was computed by hand from docs/guide/concepts.md. 8 April 2026 is a Wednesday.
const cases: Record<string, [Case, ClockWords]> = {
  // A date stands for noon UTC. The truck came at 08:00 in Rotterdam on that day.
  'a discharge by date, and a collection on the morning of that day': [
    { events: [discharged('2026-04-08'), out('2026-04-08T06:00Z')], terms: [{}], now: noon('04-30') },
    { demurrage: onTime, detention: unknown },
  ],
  'a collection by date on the evening of whose day the discharge was reported': [
    { events: [discharged('2026-04-08T18:00Z'), out('2026-04-08')], terms: [{}], now: noon('04-30') },
    { demurrage: onTime, detention: unknown },
  ],
  'a collection by date, and a return on the morning of that day': [
    { events: [wed8, out('2026-04-10'), back('2026-04-10T07:00Z')], terms: [{}, detention], now: noon('04-30') },
    { demurrage: onTime, detention: 'stopped 04-14 - -' },
  ],
  'a return by date, on the evening of whose day the collection was reported': [
    { events: [wed8, out('2026-04-10T18:00Z'), back('2026-04-10')], terms: [{}, detention], now: noon('04-30') },
    { demurrage: onTime, detention: 'stopped 04-14 - -' },
  ],
  // Collected on the 15th: 14 and 15.
  'discharge and collection by dates': [
    { events: [discharged('2026-04-08', 'USLAX'), out('2026-04-15', 'USLAX')], terms: [{}], now: noon('04-30') },
    { demurrage: 'stopped 04-13 - 200 USD', detention: unknown },
  ],

  // Thursday 24 December: (25 and 26 are holidays, 27,) 28, 29, 30, 31, (1, 2, 3,) 4. The 5th costs.
  'working days over the turn of the year': [
    {
      events: [discharged('2026-12-24T09:00Z')],
      terms: [{ counting: 'working' }],
      now: '2027-01-05T10:00Z',
    },
    { demurrage: 'over 01-04 -1 100 USD', detention: notStarted },
  ],
  // Friday 24: (25, 26, King’s Day 27,) 28, 29.
  'King’s Day in the Netherlands': [
    { events: [discharged('2026-04-24T09:00Z')], terms: [{ counting: 'working', freeDays: 2 }], now: noon('04-28') },
    { demurrage: 'expiring 04-29 1 -', detention: notStarted },
  ],
  // 11 to 15, though the 11th is a Saturday.
  'calendar days from a Saturday on': [
    { events: [discharged('2026-04-11T08:00Z')], terms: [{ firstDay: 'same_day' }], now: noon('04-16') },
    { demurrage: 'over 04-15 -1 100 USD', detention: notStarted },
  ],
  // Collected in Dammam on Wednesday 8: Thursday 9, (10, 11,) 12, 13, 14. The 15th costs.
  'the detention of the country of the terminal': [
    {
      events: [discharged('2026-04-06T08:00Z', 'SADMM'), out('2026-04-08T08:00Z', 'SADMM')],
      terms: [{}, { ...detention, counting: 'working' }],
      now: noon('04-15'),
    },
    { demurrage: 'stopped 04-11 - -', detention: 'over 04-14 -1 90 USD' },
  ],
  // Free 11 to 14. 15, 16, 17, (18, 19,) 20, 21: 5 × 90.
  'detention charged by working day': [
    {
      events: [wed8, out('2026-04-10T08:00Z'), back('2026-04-21T08:00Z')],
      terms: [{}, { ...detention, chargedDays: 'working' }],
      now: noon('05-21'),
    },
    { demurrage: onTime, detention: 'stopped 04-14 - 450 USD' },
  ],
  // Free 11 and 12 by the terms of the day of collection. 13 and 14.
  'terms of detention that change between discharge and collection': [
    {
      events: [wed8, out('2026-04-10T08:00Z')],
      terms: [{}, { ...detention, validTo: '2026-04-09' }, { ...detention, freeDays: 2, validFrom: '2026-04-10' }],
      now: noon('04-14'),
    },
    { demurrage: onTime, detention: 'over 04-12 -2 180 USD' },
  ],
  // 23:30 on the 13th in New York, so detention is free from the 14th to the 17th.
  'both clocks around midnight at the terminal': [
    {
      events: [discharged('2026-04-08T15:00Z', 'USNYC'), out('2026-04-14T03:30Z', 'USNYC')],
      terms: [{}, detention],
      now: '2026-04-18T13:00Z',
    },
    { demurrage: onTime, detention: 'over 04-17 -1 90 USD' },
  ],
  // The 21st and the 22nd.
  'a manual day for detention': [
    {
      events: [wed8, out('2026-04-09T08:00Z')],
      terms: [{}, detention],
      manual: [{ kind: 'detention', day: '2026-04-20' }],
      now: noon('04-22'),
    },
    { demurrage: onTime, detention: 'over 04-20 -2 180 USD' },
  ],
  // The 10th and the 11th, though the terms would allow the 13th.
  'a manual day before the calculated one': [
    { events: [wed8], terms: [{}], manual: [{ kind: 'demurrage', day: '2026-04-09' }], now: noon('04-11') },
    { demurrage: 'over 04-09 -2 200 USD', detention: notStarted },
  ],
  // 14 and 15 cost nothing, 16 and 17 do.
  'rates that begin with the third day': [
    { events: [wed8], terms: [{ rates: [{ fromDay: 3, amount: 40 }] }], now: noon('04-17') },
    { demurrage: 'over 04-13 -4 80 USD', detention: notStarted },
  ],

  // The terminal’s day is for the collection.
  'a combined clock before collection, with a day of the terminal': [
    {
      events: [
        wed8,
        notice('2026-04-08T09:00Z', { freeDays: [{ by: 'terminal', kind: 'demurrage', day: '2026-04-12' }] }),
      ],
      terms: [{ kind: 'combined', freeDays: 10 }],
      now: noon('04-13'),
    },
    { combined: 'over 04-12 -1 100 USD' },
  ],
  // 9 to 18.
  'a combined clock after collection, with a day of the terminal': [
    {
      events: [
        wed8,
        notice('2026-04-08T09:00Z', { freeDays: [{ by: 'terminal', kind: 'demurrage', day: '2026-04-12' }] }),
        out('2026-04-11T08:00Z'),
      ],
      terms: [{ kind: 'combined', freeDays: 10 }],
      now: noon('04-13'),
    },
    { combined: 'running 04-18 5 -' },
  ],

  'a discharge at a port of transshipment': [
    { events: [elsewhere('discharged', '2026-03-28T08:00Z')], terms: [{}], now: noon('04-20') },
    { demurrage: notStarted, detention: notStarted },
  ],
  'a discharge at the port of discharge after a transshipment': [
    {
      events: [elsewhere('discharged', '2026-03-28T08:00Z'), elsewhere('loaded', '2026-03-30T08:00Z'), wed8],
      terms: [{}],
      now: noon('04-14'),
    },
    { demurrage: 'over 04-13 -1 100 USD', detention: notStarted },
  ],
  'moves of the export': [
    {
      events: [
        { code: 'gate_out_empty', at: '2026-03-10T08:00Z', legRole: 'origin', port: 'CNSHA' },
        { code: 'gate_in_full', at: '2026-03-12T08:00Z', legRole: 'pol', port: 'CNSHA' },
        { code: 'loaded', at: '2026-03-15T08:00Z', legRole: 'pol', port: 'CNSHA' },
      ],
      terms: [{}, detention],
      now: noon('04-20'),
    },
    { demurrage: notStarted, detention: notStarted },
  ],

  // Available on the 12th, released on the 14th: 15 to 19.
  'a hold that is released, set again and released again': [
    {
      events: [
        wed8,
        customs('2026-04-08T09:00Z', 'active'),
        customs('2026-04-09T09:00Z', 'released'),
        customs('2026-04-10T09:00Z', 'active'),
        { code: 'available_for_pickup', at: '2026-04-12T08:00Z' },
        customs('2026-04-14T09:00Z', 'released'),
      ],
      terms: [available],
      now: noon('04-20'),
    },
    { demurrage: 'over 04-19 -1 100 USD', detention: notStarted },
  ],
  'two holds, of which one is released': [
    {
      events: [
        wed8,
        customs('2026-04-08T09:00Z', 'active'),
        notice('2026-04-08T09:30Z', { holds: [{ type: 'freight', status: 'active' }] }),
        { code: 'available_for_pickup', at: '2026-04-09T08:00Z' },
        customs('2026-04-10T09:00Z', 'released'),
      ],
      terms: [available],
      now: noon('04-20'),
    },
    { demurrage: notStarted, detention: notStarted },
  ],
  // 10 to 14.
  'a pending hold, which keeps nothing back': [
    {
      events: [
        wed8,
        customs('2026-04-08T09:00Z', 'pending'),
        { code: 'available_for_pickup', at: '2026-04-09T08:00Z' },
      ],
      terms: [available],
      now: noon('04-13'),
    },
    { demurrage: 'expiring 04-14 1 -', detention: notStarted },
  ],
  // 10 to 14.
  'an availability that was withdrawn after the clock had started': [
    {
      events: [
        wed8,
        notice('2026-04-09T08:00Z', { available: true }),
        notice('2026-04-10T08:00Z', { available: false }),
      ],
      terms: [available],
      now: noon('04-13'),
    },
    { demurrage: 'expiring 04-14 1 -', detention: notStarted },
  ],
};

it.each(Object.entries(cases))('%s', (_, [given, expected]) => {
  expect(clocksOf(given, isWorkingDay)).toEqual(expected);
});
