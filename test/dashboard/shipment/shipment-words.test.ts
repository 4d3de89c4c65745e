import { describe, expect, it } from 'vitest';
import { zoneWords } from '#services/dashboard/parts/time-words.ts';
import { carrierMoment } from '#services/dashboard/screens/shipment/carrier-time.ts';
import { containerType } from '#services/dashboard/screens/shipment/containers/container-type.ts';
import { groupExceptions } from '#services/dashboard/screens/shipment/facts/exceptions-fact.tsx';
import { walkIn } from '#services/dashboard/screens/shipment/list-walk.ts';
import { rawFields } from '#services/dashboard/screens/shipment/timeline/event-words.ts';
import { changesOf, draftOf } from '#services/dashboard/screens/shipment/verbs/edit-changes.ts';
import { canCancel, refreshLock } from '#services/dashboard/screens/shipment/verbs/verb-permission.ts';
import { exceptionText } from '#services/dashboard/screens/shipment/words/exception-words.ts';
import {
  countRefreshes,
  outageText,
  refreshBars,
  refreshKind,
  refreshWords,
  sourceWords,
  trackingText,
} from '#services/dashboard/screens/shipment/words/refresh-words.ts';
import { toWireContainer } from '#shared/contract/record/free-time-wire.ts';
import type { Status } from '#shared/domain/record/shipment.ts';

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
  trace_kept: false,
  mode: 'polled',
  stale_after_hours: null,
};
const refresh = (changes = {}) => ({
  at: '2026-04-21T05:37:00.000Z',
  first_at: '2026-04-21T05:37:00.000Z',
  count: 1,
  outcome: 'unchanged',
  reason: null,
  detail: null,
  unreadable: null,
  http_status: 200,
  duration_ms: 412,
  events_added: 0,
  source: null,
  trace_id: null,
  trace_kept: false,
  mode: 'polled',
  stale_after_hours: null,
  ...changes,
});

describe('carrierMoment', () => {
  it('uses the local time of the place, with the year unless it is the current one', () => {
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

  it('uses the common short name of the time zone', () => {
    expect(zoneWords('2026-07-01T00:00:00Z', 'America/Los_Angeles')).toBe('PDT');
    expect(zoneWords('2026-07-01T00:00:00Z', 'Europe/Amsterdam')).toBe('CEST');
    expect(zoneWords('2026-07-01T00:00:00Z', 'Asia/Kolkata')).toBe('IST');
    expect(zoneWords('2026-07-01T00:00:00Z', 'Asia/Riyadh')).toBe('GMT+3');
  });

  it('uses different short names for different times', () => {
    for (const at of ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']) {
      const offsetsOf = new Map<string, Set<string>>();
      for (const zone of Intl.supportedValuesOf('timeZone')) {
        const words = zoneWords(at, zone);
        const local = new Date(at).toLocaleString('sv', { timeZone: zone });
        offsetsOf.set(words, (offsetsOf.get(words) ?? new Set()).add(local));
      }
      expect([...offsetsOf].filter(([, offsets]) => offsets.size > 1)).toEqual([]);
    }
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
])('names the container type %s as %s', (code, words) => {
  expect(containerType(code)).toBe(words);
});

describe('refreshes', () => {
  it('are described by their outcome', () => {
    expect(refreshWords(refresh({ count: 3 }))).toBe('no changes, 3 times');
    expect(refreshWords(refresh({ outcome: 'changed', events_added: 1 }))).toBe('1 event');
    const unreadable = { count: 2, reasons: ['eventDateTime is missing'] };
    expect(refreshWords(refresh({ outcome: 'changed', events_added: 3, unreadable }))).toBe('3 events, 2 unreadable');
    expect(refreshWords(refresh({ count: 2, reason: 'partial_response' }))).toBe(
      'no changes, 2 times, incomplete response',
    );
    expect(refreshWords(refresh({ outcome: 'error', reason: 'carrier_rate_limited', http_status: 429 }))).toBe(
      'rate limited',
    );
    expect(refreshWords(refresh({ outcome: 'error', reason: 'some_new_reason' }))).toBe('some new reason');
    expect(refreshKind(refresh({ outcome: 'error', http_status: 429 }))).toBe('limited');
    expect(refreshKind(refresh({ outcome: 'error', http_status: 503 }))).toBe('failed');
  });

  it('count every refresh of a run, and are drawn oldest first', () => {
    const refreshes = [
      refresh({ count: 17 }),
      refresh({ outcome: 'changed', events_added: 2 }),
      refresh({ outcome: 'error', http_status: 429 }),
    ];
    expect(countRefreshes(refreshes)).toBe('19 refreshes: 1 with changes, 1 rate limited');
    expect(refreshBars(refreshes).slice(0, 3)).toEqual(['limited', 'changed', 'unchanged']);
    expect(refreshBars(refreshes, 10)).toHaveLength(10);
  });

  it('shorten a long run so that others stay visible', () => {
    expect(refreshBars([refresh({ count: 900 }), refresh({ outcome: 'changed' })], 20)).toContain('changed');
  });
});

it('names an outage of Landfall as such, with the last result of the carrier', () => {
  const outage = outageText({ carrier_name: 'Maersk', tracking }, now);
  expect(outage).toMatchObject({ label: 'Unknown', tone: 'over' });
  expect(outage.text).toMatch(/^Landfall is unreachable\. At its last answer: healthy\. /);
});

describe('trackingText', () => {
  it('names rejected credentials, although the carrier has returned nothing', () => {
    expect(text({ state: 'awaiting_carrier', reason: 'carrier_auth_failed', last_succeeded_at: null }).text).toContain(
      'rejects the credentials',
    );
  });

  const text = (changes = {}) => trackingText({ carrier_name: 'Maersk', tracking: { ...tracking, ...changes } }, now);

  it('states the last response and the next refresh', () => {
    expect(text()).toMatchObject({ label: 'Healthy', tone: 'good' });
    expect(text().text).toMatch(/^Maersk responded 23 min ago\. Next refresh \d\d:41\.$/);
  });

  it.each([
    ['active', 'stale', null, 'Stale'],
    ['degraded', 'fresh', 'partial_response', 'Degraded'],
    ['awaiting_carrier', 'never', 'carrier_rate_limited', 'Waiting'],
    ['awaiting_carrier', 'never', 'data_withheld', 'Waiting'],
    ['queued', 'never', null, 'Waiting'],
    ['awaiting_carrier', 'never', 'carrier_not_found_yet', 'Waiting'],
    ['degraded', 'stale', 'carrier_unreachable', 'Degraded'],
    ['failed', 'stale', 'not_found', 'Failing'],
    ['stopped', 'final', 'stopped_by_client', 'Stopped'],
    ['completed', 'final', null, 'Completed'],
  ])('labels %s and %s, reason %s, as "%s"', (state, freshness, reason, label) => {
    expect(text({ state, freshness, reason }).label).toBe(label);
  });
});

it('disables a refresh that the API would reject, with the reason', () => {
  const shipment = { carrier_name: 'Maersk', archived_at: null, tracking };
  expect(refreshLock(shipment, false)).toBeNull();
  expect(refreshLock(shipment, true)).toMatch(/view-only/);
  expect(refreshLock({ ...shipment, archived_at: '2026-04-01T00:00:00.000Z' }, false)).toMatch(/Archived/);
  expect(refreshLock({ ...shipment, tracking: { ...tracking, state: 'stopped' } }, false)).toMatch(/Resume/);
});

it('disables cancelling once any container is delivered', () => {
  const box = (status: Status) =>
    toWireContainer({ number: 'A', isoType: null, status, seals: [], decidingEventId: null });
  expect(canCancel({ status: 'in_transit', containers: [box('in_transit')], archived_at: null })).toBe(true);
  expect(canCancel({ status: 'in_transit', containers: [box('delivered')], archived_at: null })).toBe(false);
  expect(canCancel({ status: 'delivered', containers: [], archived_at: null })).toBe(false);
});

it('sends only changed fields, and null for a removed pair', () => {
  const current = { references: ['PO-1'], tags: ['a', 'b'], metadata: { buyer: 'acme', desk: '7' } };
  const draft = draftOf(current);
  expect(changesOf(draft, current)).toEqual({});
  expect(changesOf({ ...draft, reference: ' ' }, current)).toEqual({ reference: null });
  expect(changesOf({ ...draft, others: 'PO-2 | PO-1' }, current)).toEqual({ references: ['PO-1', 'PO-2'] });
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

it('merges the same exception of several containers on one day', () => {
  const one = {
    code: 'customs_hold',
    severity: 'warning',
    message: 'Held',
    opened_at: '2026-04-14T01:00:00.000Z',
    resolved_at: null,
    event_id: 'a',
    container: null,
    piece: null,
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

it('names the hold of an exception, and formats its days like all others', () => {
  expect(exceptionText({ code: 'customs_hold', message: 'Exam' }, now)).toBe('Customs hold: Exam');
  expect(exceptionText({ code: 'customs_hold', message: 'Held by customs' }, now)).toBe(
    'Customs hold: Held by customs',
  );
  expect(exceptionText({ code: 'customs_hold', message: 'Customs hold' }, now)).toBe('Customs hold');
  expect(exceptionText({ code: 'rolled', message: 'Rolled to the next vessel' }, now)).toBe(
    'Rolled to the next vessel',
  );
  const passed = { code: 'last_free_day_passed', message: 'The last free day for demurrage was 2026-04-14' };
  expect(exceptionText(passed, now)).toBe('The last free day for demurrage was Tue 14 Apr');
});

it('finds the neighbours in the list, and none beyond its ends', () => {
  expect(walkIn(['a', 'b', 'c'], 'b', true)).toEqual({ position: 2, of: 3, isAll: true, previous: 'a', next: 'c' });
  expect(walkIn(['a'], 'a', false)).toMatchObject({ previous: null, next: null, isAll: false });
  expect(walkIn(['a'], 'z', true)).toBeNull();
});

it('flattens the data of a carrier, and counts fields beyond the limit', () => {
  expect(rawFields({ a: { b: 1, c: null }, d: [{ e: 'x' }] }).fields).toEqual([
    { name: 'a.b', value: '1' },
    { name: 'd[0].e', value: 'x' },
  ]);
  expect(rawFields(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]))).left).toBe(10);
});

it.each([
  ['dcsa:maersk', 'Maersk'],
  ['simulator:one-record', 'IATA ONE Record, simulated'],
  ['simulator:portfolio', 'Portfolio, simulated'],
  [null, 'none yet'],
])('words the source %s as %s', (source, words) => {
  expect(sourceWords(source)).toBe(words);
});
