import { expect, it } from 'vitest';
import { becauseWords } from '#services/dashboard/screens/shipment/facts/because.ts';
import { eventOf } from './shipment-parts.ts';

const now = Date.parse('2026-04-21T06:00:00Z');
const tracking = {
  state: 'active',
  reason: null,
  freshness: 'fresh',
  last_succeeded_at: '2026-04-21T05:00:00.000Z',
  next_refresh_at: null,
  source: null,
  last_refreshed_at: null,
  last_changed_at: null,
  consecutive_failures: 0,
  trace_id: null,
  trace_kept: false,
};
const box = (number: string) => ({
  number,
  iso_type: null,
  status: 'in_transit',
  seals: [],
  holds: [],
  last_free_day: null,
});
const bare = {
  status_evidence: null,
  events: [],
  latest_event: null,
  containers: [],
  carrier_name: 'Maersk',
  tracking,
  archived_at: null,
};
const because = (changes: Partial<Parameters<typeof becauseWords>[0]>) => becauseWords({ ...bare, ...changes }, now);
const evidenceOf = (event: ReturnType<typeof eventOf>) => ({
  event_id: event.event_id,
  code: event.code,
  source: event.source,
});

it('names the carrier, the event, the place and the local time', () => {
  const event = eventOf();
  expect(because({ status_evidence: evidenceOf(event), events: [event] })).toBe(
    'because Maersk reported that it departed Busan on 14 Apr 04:30 UTC',
  );
});

it('states how many of the containers the event covers', () => {
  const events = ['A', 'B', 'C'].map((container) => eventOf({ code: 'loaded', container }));
  const [event] = events as [ReturnType<typeof eventOf>];
  const reason = (count: number, boxes: string[]) =>
    because({ status_evidence: evidenceOf(event), events: events.slice(0, count), containers: boxes.map(box) });
  expect(reason(2, ['A', 'B'])).toMatch(/, with both containers$/);
  expect(reason(3, ['A', 'B', 'C'])).toMatch(/, with all 3 containers$/);
  expect(reason(2, ['A', 'B', 'C'])).toMatch(/, with 2 of 3 containers$/);
  expect(reason(1, ['A', 'B', 'C'])).toMatch(/, with A$/);
  expect(reason(1, ['A'])).not.toMatch(/with/);
});

it('names an event that is not among the newest by its code', () => {
  expect(because({ status_evidence: { event_id: 'evt_far', code: 'loaded', source: 'carrier' } })).toBe(
    'because Maersk reported that it was loaded',
  );
});

it('quotes an unknown code', () => {
  expect(because({ status_evidence: { event_id: 'evt_far', code: 'teleported_home', source: 'carrier' } })).toBe(
    'because Maersk reported that it has the event “Teleported home”',
  );
});

it('distinguishes a cancellation by the client from a report of the carrier', () => {
  expect(because({ status_evidence: { event_id: 'evt_far', code: 'cancelled', source: 'client' } })).toBe(
    'because you cancelled it',
  );
});

it('states what is missing without evidence', () => {
  expect(because({ tracking: { ...tracking, state: 'queued', freshness: 'never' } })).toBe(
    'because Maersk has not been polled yet',
  );
  expect(because({ tracking: { ...tracking, state: 'awaiting_carrier' } })).toBe(
    'because Maersk has no record of the number yet',
  );
  expect(because({})).toBe('because Maersk has not reported a movement yet');
});
