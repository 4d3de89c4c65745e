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

it('the sentence names the carrier, what it says, where and when by the clock there', () => {
  const event = eventOf();
  expect(because({ status_evidence: evidenceOf(event), events: [event] })).toBe(
    'because Maersk says it departed Busan on 14 Apr 04:30 UTC',
  );
});

it('the sentence says how many of the containers are meant', () => {
  const events = ['A', 'B', 'C'].map((container) => eventOf({ code: 'loaded', container }));
  const [event] = events as [ReturnType<typeof eventOf>];
  const said = (count: number, boxes: string[]) =>
    because({ status_evidence: evidenceOf(event), events: events.slice(0, count), containers: boxes.map(box) });
  expect(said(2, ['A', 'B'])).toMatch(/, with both containers$/);
  expect(said(3, ['A', 'B', 'C'])).toMatch(/, with all 3 containers$/);
  expect(said(2, ['A', 'B', 'C'])).toMatch(/, with 2 of 3 containers$/);
  expect(said(1, ['A', 'B', 'C'])).toMatch(/, with A$/);
  expect(said(1, ['A'])).not.toMatch(/with/);
});

it('an event that is not among the newest is still named by its code', () => {
  expect(because({ status_evidence: { event_id: 'evt_far', code: 'loaded', source: 'carrier' } })).toBe(
    'because Maersk says it was loaded',
  );
});

it('a code that is new to the page is quoted, not guessed', () => {
  expect(because({ status_evidence: { event_id: 'evt_far', code: 'teleported_home', source: 'carrier' } })).toBe(
    'because Maersk says it has “Teleported home”',
  );
});

it('who cancelled is told apart from what a carrier says', () => {
  expect(because({ status_evidence: { event_id: 'evt_far', code: 'cancelled', source: 'client' } })).toBe(
    'because you cancelled it',
  );
});

it('without evidence the sentence says what is missing', () => {
  expect(because({ tracking: { ...tracking, state: 'queued', freshness: 'never' } })).toBe(
    'because Maersk has not been asked yet',
  );
  expect(because({ tracking: { ...tracking, state: 'awaiting_carrier' } })).toBe(
    'because Maersk does not know the number yet',
  );
  expect(because({})).toBe('because Maersk has told no movement yet');
});
