import { expect, it } from 'vitest';
import { equipmentGroupOf } from '#shared/domain/free-time/match-terms.ts';
import { shownFreeTime } from '#shared/domain/free-time/shown-free-time.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { eventAt, journeyOf, type Sketch } from './free-time-cases.ts';

const now = '2026-05-20T10:00Z';

function freeTimeOf(events: readonly Sketch[]) {
  const [container] = journeyOf({ events, now }, () => true).containers;
  if (container === undefined) throw new Error('the events name no container');
  return shownFreeTime(container);
}

it('reads every milestone of a container from its events', () => {
  const origin = { legRole: 'pol', port: 'CNSHA' } as const;
  const moves: Sketch[] = [
    { code: 'gate_out_empty', at: '2026-03-01T01:00Z', ...origin },
    { code: 'gate_in_full', at: '2026-03-02T01:00Z', ...origin },
    { code: 'loaded', at: '2026-03-03T01:00Z', ...origin },
    { code: 'departed', at: '2026-03-04T01:00Z', ...origin, container: null },
    { code: 'arrived', at: '2026-04-07T01:00Z', container: null },
    { code: 'discharged', at: '2026-04-08T01:00Z' },
    { code: 'available_for_pickup', at: '2026-04-09T01:00Z' },
    { code: 'gate_out_full', at: '2026-04-10T01:00Z' },
    { code: 'gate_in_empty', at: '2026-04-11T01:00Z' },
  ];
  const { milestones } = freeTimeOf(moves);
  expect(Object.entries(milestones).map(([name, time]) => [name, time?.at.slice(5, 10)])).toEqual([
    ['emptyOut', '03-01'],
    ['fullIn', '03-02'],
    ['loaded', '03-03'],
    ['departed', '03-04'],
    ['arrived', '04-07'],
    ['discharged', '04-08'],
    ['available', '04-09'],
    ['fullOut', '04-10'],
    ['emptyIn', '04-11'],
  ]);
});

it('uses the later received of two statements of one move', () => {
  const early: Sketch = { code: 'discharged', at: '2026-04-09T08:00Z', receivedAt: '2026-04-09T09:00:00.000Z' };
  const late: Sketch = { code: 'discharged', at: '2026-04-08T08:00Z', receivedAt: '2026-04-10T09:00:00.000Z' };
  expect(freeTimeOf([late, early]).milestones.discharged?.at).toBe('2026-04-08T08:00:00.000Z');
});

it('ends the sea leg neither with a collection at the origin nor with a transshipment', () => {
  const { milestones, clocks } = freeTimeOf([
    { code: 'gate_out_full', at: '2026-03-01T01:00Z', legRole: 'origin', port: 'CNSHA' },
    { code: 'discharged', at: '2026-03-20T01:00Z', legRole: 'transshipment', port: 'AEJEA' },
  ]);
  expect([milestones.fullOut, milestones.discharged]).toEqual([null, null]);
  expect(clocks.map(({ state }) => state)).toEqual(['not_started', 'not_started']);
});

it('states since when a container can or cannot be collected, or that it is unknown', () => {
  const stated = (available: boolean, at: string): Sketch => ({ code: 'notice', at, details: { available } });
  expect(freeTimeOf([{ code: 'discharged', at: '2026-04-08T08:00Z' }]).availability.known).toBe(false);
  const { availability } = freeTimeOf([
    stated(true, '2026-04-10T08:00Z'),
    stated(false, '2026-04-09T08:00Z'),
    stated(true, '2026-04-11T08:00Z'),
  ]);
  expect(availability).toMatchObject({ known: true, available: true, since: { at: '2026-04-10T08:00:00.000Z' } });
});

it('keeps the latest statement of each fee with its source', () => {
  const fee = (amount: number, receivedAt: string): Sketch => ({
    code: 'notice',
    at: '2026-04-09T08:00Z',
    receivedAt,
    details: { sourceName: 'acme', fees: [{ type: 'exam', amount, currency: 'USD' }] },
  });
  expect(freeTimeOf([fee(80, '2026-04-11T00:00:00.000Z'), fee(50, '2026-04-10T00:00:00.000Z')]).fees).toEqual([
    { type: 'exam', amount: 80, currency: 'USD', source: 'client:acme' },
  ]);
});

it('reads a rail-only journey by its ramps', () => {
  const events = [
    eventAt({ code: 'rail_departed', at: '2026-04-01T08:00Z', port: 'USLAX', legRole: 'unknown' }, 'a'),
    eventAt({ code: 'rail_arrived', at: '2026-04-07T08:00Z', port: 'USCHI', legRole: 'unknown' }, 'b'),
    eventAt({ code: 'rail_unloaded', at: '2026-04-08T08:00Z', port: 'USCHI', legRole: 'unknown' }, 'c'),
  ];
  const { containers, freeTime } = composeJourney({ events, transportMode: 'rail' }, Date.parse(now));
  expect(containers.map((container) => shownFreeTime(container).clocks[0])).toMatchObject([
    { kind: 'demurrage', state: 'unknown_terms', startEventId: 'c' },
  ]);
  expect(freeTime).toMatchObject({ state: 'unknown_terms', unknownTerms: 1 });
});

it('has no clocks in other modes than ocean and rail', () => {
  const events = [eventAt({ code: 'arrived', at: '2026-04-08T08:00Z' }, 'a')];
  const { containers, freeTime } = composeJourney({ events, transportMode: 'road' }, Date.parse(now));
  expect(containers.map((container) => shownFreeTime(container).clocks)).toEqual([[]]);
  expect(freeTime).toBeNull();
});

it.each([
  ['45G1', 'standard'],
  ['22V3', 'standard'],
  ['45R1', 'reefer'],
  ['22H0', 'reefer'],
  ['22T6', 'tank'],
  ['22K2', 'tank'],
  ['42U1', 'special'],
  ['42P3', 'special'],
  ['22B0', 'special'],
  ['2210', null],
  [null, null],
])('puts the type %s into the group %s', (isoType, group) => {
  expect(equipmentGroupOf(isoType)).toBe(group);
});
