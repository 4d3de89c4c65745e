import { expect, it } from 'vitest';
import { eventsAsOf } from '#shared/domain/events-in/events-as-of.ts';
import { trackingEvent } from '../journey/journey-events.ts';

const at = (day: number) => `2026-05-0${day}T00:00:00.000Z`;

const events = [
  trackingEvent({ id: 'a', code: 'loaded', hour: 1, receivedAt: at(1), supersededBy: 'b' }),
  trackingEvent({ id: 'b', code: 'loaded', hour: 2, receivedAt: at(3), voidedAt: at(5) }),
];

it.each([
  ['before anything was received', '2026-04-30T23:59:59.999Z', []],
  ['at the moment of a receipt it counts', at(1), [['a', null, null]]],
  ['a revision that came later is not known yet', at(2), [['a', null, null]]],
  [
    'a revision that came by then is',
    at(3),
    [
      ['a', 'b', null],
      ['b', null, null],
    ],
  ],
  [
    'a void counts from its moment on',
    at(5),
    [
      ['a', 'b', null],
      ['b', null, at(5)],
    ],
  ],
])('%s', (_, asOf, expected) => {
  expect(eventsAsOf(events, asOf).map(({ id, supersededBy, voidedAt }) => [id, supersededBy, voidedAt])).toEqual(
    expected,
  );
});
