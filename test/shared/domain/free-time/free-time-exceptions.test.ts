import { expect, it } from 'vitest';
import type { HoldStatus, HoldType } from '#shared/domain/events/stated-free-time.ts';
import { shownFreeTime } from '#shared/domain/free-time/shown-free-time.ts';
import type { Journey } from '#shared/domain/record/shipment.ts';
import { box, journeyOf, type Sketch } from './free-time-cases.ts';

const everyDay = () => true;
// Free until 13 April under `plainTerm`.
const discharged: Sketch = { code: 'discharged', at: '2026-04-08T08:00Z', id: 'discharged' };
const noon = (day: string) => `2026-${day}T10:00Z`;

function exceptionsOf({ exceptions }: Journey) {
  return exceptions.map(({ code, severity, openedAt, resolvedAt, eventId, container }) => {
    return [code, severity, openedAt, resolvedAt, eventId, container];
  });
}

it('opens last_free_day_near two days before, at midnight of the terminal', () => {
  const before = journeyOf({ events: [discharged], terms: [{}], now: '2026-04-10T21:59Z' }, everyDay);
  expect(exceptionsOf(before)).toEqual([]);
  const near = journeyOf({ events: [discharged], terms: [{}], now: '2026-04-10T22:00Z' }, everyDay);
  expect(before.freeTime?.nextAssessmentAt).toBe('2026-04-10T22:00:00.000Z');
  expect(exceptionsOf(near)).toEqual([
    ['last_free_day_near', 'warning', '2026-04-10T22:00:00.000Z', null, 'discharged', box],
  ]);
  expect(near.hasException).toBe(true);
  expect(near.exceptions[0]?.message).toBe('The last free day for demurrage is 2026-04-13');
});

it('opens last_free_day_passed instead once the day has passed, and resolves it with a late collection', () => {
  const over = journeyOf({ events: [discharged], terms: [{}], now: noon('04-15') }, everyDay);
  const passed = ['last_free_day_passed', 'critical', '2026-04-13T22:00:00.000Z'];
  expect(exceptionsOf(over)).toEqual([[...passed, null, 'discharged', box]]);
  const out: Sketch = { code: 'gate_out_full', at: '2026-04-16T08:00Z' };
  const late = journeyOf({ events: [discharged, out], terms: [{}], now: noon('04-20') }, everyDay);
  expect(exceptionsOf(late)).toEqual([[...passed, '2026-04-16T08:00:00.000Z', 'discharged', box]]);
  expect(late.hasException).toBe(false);
});

it('opens nothing for a container that was collected in time, or whose day has moved', () => {
  const out: Sketch = { code: 'gate_out_full', at: '2026-04-12T08:00Z' };
  expect(journeyOf({ events: [discharged, out], terms: [{}], now: noon('04-20') }, everyDay).exceptions).toEqual([]);
  const moved = journeyOf(
    { events: [discharged], terms: [{}], manual: [{ kind: 'demurrage', day: '2026-04-30' }], now: noon('04-15') },
    everyDay,
  );
  expect(moved.exceptions).toEqual([]);
});

it('names the event that stated the day if none started the clock, and none for a manual day', () => {
  const departed: Sketch = { code: 'departed', at: '2026-03-20T08:00Z', legRole: 'pol', port: 'CNSHA' };
  const notice: Sketch = {
    code: 'notice',
    at: '2026-04-08T09:00Z',
    id: 'notice',
    details: { freeDays: [{ by: 'terminal', kind: 'demurrage', day: '2026-04-10' }] },
  };
  const stated = journeyOf({ events: [departed, notice], now: noon('04-12') }, everyDay);
  expect(stated.exceptions).toMatchObject([{ code: 'last_free_day_passed', eventId: 'notice' }]);
  const byHand = journeyOf(
    { events: [departed], manual: [{ kind: 'demurrage', day: '2026-04-10' }], now: noon('04-12') },
    everyDay,
  );
  expect(byHand.exceptions).toMatchObject([{ code: 'last_free_day_passed', eventId: null }]);
});

it('prefers an ended clock to the carrier’s bare notice, and shows the notice without one', () => {
  const notice: Sketch = { code: 'other', at: '2026-04-14T08:00Z', id: 'notice' };
  const worded = { ...notice, description: 'Last free day has passed' } as Sketch;
  const alone = journeyOf({ events: [discharged, worded], now: noon('04-15') }, everyDay);
  expect(alone.exceptions).toMatchObject([{ code: 'last_free_day_passed', eventId: 'notice' }]);
  const over = journeyOf({ events: [discharged, worded], terms: [{}], now: noon('04-15') }, everyDay);
  expect(over.exceptions).toMatchObject([{ code: 'last_free_day_passed', eventId: 'discharged' }]);
  expect(over.freeDayNotices).toMatchObject([{ eventId: 'notice' }]);
});

function holding(at: string, ...holds: [HoldType, HoldStatus][]): Sketch {
  return { code: 'notice', at, details: { holds: holds.map(([type, status]) => ({ type, status })) } };
}

it.each([
  ['customs', 'customs_hold'],
  ['freight', 'freight_hold'],
  ['line', 'carrier_hold'],
  ['terminal', 'terminal_hold'],
  ['agriculture', 'terminal_hold'],
  ['exam', 'terminal_hold'],
  ['other', 'terminal_hold'],
] as const)('opens an exception with a hold of type %s, and resolves it with its release', (type, code) => {
  const active = holding('2026-04-08T09:00Z', [type, 'active']);
  const held = journeyOf({ events: [discharged, active], now: noon('04-09') }, everyDay);
  expect(held.exceptions).toMatchObject([{ code, container: box, resolvedAt: null }]);
  const release = holding('2026-04-09T09:00Z', [type, 'released']);
  const free = journeyOf({ events: [discharged, active, release], now: noon('04-09') }, everyDay);
  expect(free.exceptions).toMatchObject([{ code, resolvedAt: '2026-04-09T09:00:00.000Z' }]);
});

it('keeps an exception open while one of its holds is, whatever else is released or available', () => {
  const events = [
    discharged,
    holding('2026-04-08T09:00Z', ['exam', 'active'], ['agriculture', 'active']),
    holding('2026-04-09T09:00Z', ['exam', 'released']),
    { code: 'available_for_pickup', at: '2026-04-09T10:00Z' } as const,
  ];
  const held = journeyOf({ events, now: noon('04-10') }, everyDay);
  expect(held.exceptions).toMatchObject([{ code: 'terminal_hold', resolvedAt: null }]);
  const [container] = held.containers;
  expect(container && shownFreeTime(container).holds.map(({ type, status }) => [type, status])).toEqual([
    ['agriculture', 'active'],
    ['exam', 'released'],
  ]);
  const gone = { code: 'gate_out_full', at: '2026-04-11T10:00Z' } as const;
  const collected = journeyOf({ events: [...events, gone], now: noon('04-12') }, everyDay);
  expect(collected.exceptions).toMatchObject([{ code: 'terminal_hold', resolvedAt: '2026-04-11T10:00:00.000Z' }]);
});

it('treats a customs release by code as the release of a stated hold', () => {
  const active = holding('2026-04-08T09:00Z', ['customs', 'active']);
  const release: Sketch = { code: 'customs_released', at: '2026-04-09T09:00Z' };
  const { exceptions } = journeyOf({ events: [discharged, active, release], now: noon('04-10') }, everyDay);
  expect(exceptions).toMatchObject([{ code: 'customs_hold', resolvedAt: '2026-04-09T09:00:00.000Z' }]);
});

it('shows a container without known facts in full', () => {
  const { freeTime } = { freeTime: {} };
  const unknown = shownFreeTime({ freeTime });
  expect(unknown).toMatchObject({ availability: { known: false, available: null }, holds: [], fees: [] });
  expect(unknown.clocks.map(({ kind, state }) => [kind, state])).toEqual([
    ['demurrage', 'not_started'],
    ['detention', 'not_started'],
  ]);
});
