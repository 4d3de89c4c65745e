import { describe, expect, it } from 'vitest';
import { zoneWords } from '#services/dashboard/parts/time-words.ts';
import { carrierMoment, hoursLater } from '#services/dashboard/screens/shipment/carrier-time.ts';
import { containerType } from '#services/dashboard/screens/shipment/facts/container-type.ts';
import { groupExceptions } from '#services/dashboard/screens/shipment/facts/group-exceptions.ts';
import {
  countRefreshes,
  refreshBars,
  refreshKind,
  refreshWords,
  seenWords,
} from '#services/dashboard/screens/shipment/facts/refresh-words.ts';
import { walkIn } from '#services/dashboard/screens/shipment/list-walk.ts';
import { rawFields } from '#services/dashboard/screens/shipment/timeline/event-words.ts';
import { changesOf, draftOf } from '#services/dashboard/screens/shipment/verbs/edit-changes.ts';
import { canCancel, whyNotRefreshed } from '#services/dashboard/screens/shipment/verbs/verb-permission.ts';
import { timeAt } from './shipment-parts.ts';

const now = Date.parse('2026-04-21T06:00:00Z');
const tracking = {
  state: 'active',
  reason: null,
  freshness: 'fresh',
  last_succeeded_at: '2026-04-21T05:37:00.000Z',
  next_refresh_at: '2026-04-21T06:41:00.000Z',
  source: 'dcsa:maersk',
  last_refreshed_at: '2026-04-21T05:37:00.000Z',
  last_changed_at: null,
  consecutive_failures: 0,
  trace_id: null,
};
const refresh = (changes = {}) => ({
  at: '2026-04-21T05:37:00.000Z',
  first_at: '2026-04-21T05:37:00.000Z',
  count: 1,
  outcome: 'unchanged',
  reason: null,
  http_status: 200,
  duration_ms: 412,
  events_added: 0,
  source: null,
  trace_id: null,
  ...changes,
});

describe('a time of a carrier', () => {
  it('is told by the clock of the place, with the year only where it is another one', () => {
    const time = {
      at: '2026-04-13T19:30:00.000Z',
      local: '2026-04-14T04:30',
      timezone: 'Asia/Seoul',
      zone_source: 'carrier',
      precision: 'minute',
    };
    expect(carrierMoment(time, now)).toBe('14 Apr 04:30 KST');
    expect(carrierMoment({ ...time, local: '2025-04-14T04:30' }, now)).toBe('14 Apr 2025 04:30 KST');
    expect(carrierMoment({ ...time, precision: 'date', local: '2026-04-14' }, now)).toBe('14 Apr');
    expect(carrierMoment({ ...time, timezone: null }, now)).toBe('14 Apr 04:30 GMT+9');
  });

  it('has the short name of its zone that people there use', () => {
    expect(zoneWords('2026-07-01T00:00:00Z', 'America/Los_Angeles')).toBe('PDT');
    expect(zoneWords('2026-07-01T00:00:00Z', 'Europe/Amsterdam')).toBe('CEST');
    expect(zoneWords('2026-07-01T00:00:00Z', 'Asia/Kolkata')).toBe('IST');
    expect(zoneWords('2026-07-01T00:00:00Z', 'Asia/Riyadh')).toBe('GMT+3');
  });

  it('differs from a plan by signed hours, by nothing where one is missing', () => {
    expect(hoursLater(timeAt('2026-04-14T00:00'), timeAt('2026-04-15T12:00'))).toBe(36);
    expect(hoursLater(null, timeAt('2026-04-15T12:00'))).toBeNull();
  });
});

it.each([
  ['45G1', "40' high cube"],
  ['22G1', "20' dry"],
  ['42G1', "40' dry"],
  ['45R1', "40' high cube reefer"],
  ['22T6', "20' tank"],
  ['L5G1', "45' high cube"],
  ['20ft', '20ft'],
  [null, ''],
])('the container type %s reads %s', (code, words) => {
  expect(containerType(code)).toBe(words);
});

describe('the refreshes', () => {
  it('are told by what came of them', () => {
    expect(refreshWords(refresh({ count: 3 }))).toBe('nothing new, 3 times');
    expect(refreshWords(refresh({ outcome: 'changed', events_added: 1 }))).toBe('1 event');
    expect(refreshWords(refresh({ outcome: 'error', reason: 'carrier_rate_limited', http_status: 429 }))).toBe(
      'asked to slow down',
    );
    expect(refreshWords(refresh({ outcome: 'error', reason: 'some_new_reason' }))).toBe('some new reason');
    expect(refreshKind(refresh({ outcome: 'error', http_status: 429 }))).toBe('slowed');
    expect(refreshKind(refresh({ outcome: 'error', http_status: 503 }))).toBe('failed');
  });

  it('are counted with the runs that a row stands for, and drawn oldest first', () => {
    const refreshes = [
      refresh({ count: 17 }),
      refresh({ outcome: 'changed', events_added: 2 }),
      refresh({ outcome: 'error', http_status: 429 }),
    ];
    expect(countRefreshes(refreshes)).toBe('19 refreshes: 1 with news, 1 slowed down');
    expect(refreshBars(refreshes).slice(0, 3)).toEqual(['slowed', 'news', 'quiet']);
    expect(refreshBars(refreshes, 10)).toHaveLength(10);
  });

  it('a long run without news leaves room for the others', () => {
    expect(refreshBars([refresh({ count: 900 }), refresh({ outcome: 'changed' })], 20)).toContain('news');
  });
});

describe('whether it can be seen', () => {
  const seen = (changes = {}) => seenWords({ carrier_name: 'Maersk', tracking: { ...tracking, ...changes } }, now);

  it('says who answered when, and what comes next', () => {
    expect(seen()).toMatchObject({ lead: 'Yes.', tone: 'good' });
    expect(seen().rest).toMatch(/^Maersk answered 23 min ago\. Next refresh of \d\d:41\.$/);
  });

  it.each([
    ['active', 'stale', null, 'Not lately.'],
    ['queued', 'never', null, 'Not yet.'],
    ['awaiting_carrier', 'never', 'carrier_not_found_yet', 'Not yet.'],
    ['degraded', 'stale', 'carrier_unreachable', 'Not now.'],
    ['failed', 'stale', 'not_found', 'No.'],
    ['stopped', 'final', 'stopped_by_client', 'Stopped.'],
    ['completed', 'final', null, 'Done.'],
  ])('%s and %s, for %s, leads with "%s"', (state, freshness, reason, lead) => {
    expect(seen({ state, freshness, reason }).lead).toBe(lead);
  });
});

it('a refresh that would be refused is refused beforehand, with the reason', () => {
  const shipment = { carrier_name: 'Maersk', archived_at: null, tracking };
  expect(whyNotRefreshed(shipment, false)).toBeNull();
  expect(whyNotRefreshed(shipment, true)).toMatch(/Viewers/);
  expect(whyNotRefreshed({ ...shipment, archived_at: '2026-04-01T00:00:00.000Z' }, false)).toMatch(/archived/);
  expect(whyNotRefreshed({ ...shipment, tracking: { ...tracking, state: 'stopped' } }, false)).toMatch(/resume/);
});

it('what is delivered, even in part, cannot be cancelled', () => {
  const box = (status: string) => ({ number: 'A', iso_type: null, status, seals: [], holds: [], last_free_day: null });
  expect(canCancel({ status: 'in_transit', containers: [box('in_transit')], archived_at: null })).toBe(true);
  expect(canCancel({ status: 'in_transit', containers: [box('delivered')], archived_at: null })).toBe(false);
  expect(canCancel({ status: 'delivered', containers: [], archived_at: null })).toBe(false);
});

it('only what differs is sent: a pair that is gone as null, what stayed not at all', () => {
  const current = { reference: 'PO-1', tags: ['a', 'b'], metadata: { buyer: 'acme', desk: '7' } };
  const draft = draftOf(current);
  expect(changesOf(draft, current)).toEqual({});
  expect(changesOf({ ...draft, reference: ' ' }, current)).toEqual({ reference: null });
  expect(changesOf({ ...draft, tags: 'b, , b,c' }, current)).toEqual({ tags: ['b', 'c'] });
  expect(
    changesOf(
      {
        ...draft,
        metadata: [
          { key: 'buyer', value: 'zeta' },
          { key: '', value: 'x' },
        ],
      },
      current,
    ),
  ).toEqual({
    metadata: { buyer: 'zeta', desk: null },
  });
});

it('the same trouble of several containers on one day is one line with its count', () => {
  const one = {
    code: 'customs_hold',
    severity: 'warning',
    message: 'Held',
    opened_at: '2026-04-14T01:00:00.000Z',
    resolved_at: null,
    event_id: 'a',
  };
  const grouped = groupExceptions([
    one,
    { ...one, event_id: 'b', opened_at: '2026-04-14T09:00:00.000Z' },
    { ...one, event_id: 'c', message: 'Other' },
  ]);
  expect(grouped.map(({ event_id, times }) => [event_id, times])).toEqual([
    ['a', 2],
    ['c', 1],
  ]);
});

it('neighbours are those of the list, and none beyond its ends', () => {
  expect(walkIn(['a', 'b', 'c'], 'b', true)).toEqual({ position: 2, of: 3, isAll: true, previous: 'a', next: 'c' });
  expect(walkIn(['a'], 'a', false)).toMatchObject({ previous: null, next: null, isAll: false });
  expect(walkIn(['a'], 'z', true)).toBeNull();
});

it('what a carrier said is shown field by field, and a huge answer says how much is left', () => {
  expect(rawFields({ a: { b: 1, c: null }, d: [{ e: 'x' }] }).fields).toEqual([
    { name: 'a.b', value: '1' },
    { name: 'd[0].e', value: 'x' },
  ]);
  expect(rawFields(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]))).left).toBe(10);
});
