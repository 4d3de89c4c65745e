import { expect, it } from 'vitest';
import { columnsThatFit, freeTimeColumns } from '#services/dashboard/screens/shipments/columns.ts';
import { rowMatches } from '#services/dashboard/screens/shipments/list/row-matches.ts';
import { planOf, viewFilter } from '#services/dashboard/screens/shipments/list-plan.ts';
import {
  plainSearch,
  readListSearch,
  withView,
  writeListSearch,
} from '#services/dashboard/screens/shipments/list-search.ts';
import {
  assessedWords,
  clockText,
  containersText,
  freeTimeText,
} from '#services/dashboard/screens/shipments/row-words.ts';
import type { RowFreeTime } from '#services/dashboard/screens/shipments/shipment-row.ts';
import { listRow } from './list-rows.ts';

const today = '2026-04-15';

function freeTime(changes: Partial<RowFreeTime> = {}): RowFreeTime {
  return {
    state: 'over',
    lastFreeDay: '2026-04-13',
    daysLeft: -2,
    costs: [{ amount: 360, currency: 'USD', is_floor: true }],
    containers: [{ number: 'MSKU1234565', state: 'over' }],
    more: 0,
    unknown: 0,
    ...changes,
  };
}

it('lists the clocks that run, the last free day that ends soonest first', () => {
  const search = withView(plainSearch, 'free_time');
  expect(search.sort).toBe('last_free_day');
  expect(planOf(search, today)).toEqual({
    leads: [],
    chain: [{ free_time: ['running', 'expiring', 'over'], sort: 'last_free_day' }],
    grouped: false,
  });
  expect(writeListSearch(search)).toEqual({ view: 'free_time' });
  expect(withView(search, 'all').sort).toBe('-created_at');
});

it('opens the shipments that cannot be assessed from the URL', () => {
  const search = readListSearch({ view: 'free_time', clock: 'unknown_terms,no_such_state' });
  expect(search.clock).toEqual(['unknown_terms']);
  expect(viewFilter(search, today)).toEqual({ free_time: ['unknown_terms'] });
});

it('never describes a risk that cannot be assessed as no risk', () => {
  expect(assessedWords(0, false)).toBe('Every running clock can be assessed.');
  expect(assessedWords(1, false)).toBe(
    '1 shipment can’t be assessed and is not in this list: its last free day is unknown.',
  );
  expect(assessedWords(1200, false)).toMatch(/^1,200 shipments can’t be assessed and are not in this list/);
  expect(assessedWords(2, true)).toMatch(/^2 shipments can’t be assessed: a clock runs/);
  expect(clockText(freeTime({ state: 'unknown_terms', unknown: 1 }))).toBe('Unknown');
  expect(clockText(freeTime({ state: 'unknown_terms', unknown: 3 }))).toBe('Unknown, 3 containers');
  expect(clockText(freeTime({ state: 'running', unknown: 2 }))).toBe('Running, 2 unknown');
  expect(clockText(null)).toBeNull();
});

it('words the free time of a shipment in one line, and its containers in one cell', () => {
  expect(freeTimeText(listRow({ freeTime: freeTime() }))).toBe('Over · at least USD 360 · MSKU1234565');
  expect(freeTimeText(listRow())).toBeNull();
  const containers = [
    { number: 'MSKU1234565', state: 'over' },
    { number: 'TCLU7654321', state: 'running' },
  ];
  expect(containersText(freeTime({ containers, more: 3 }))).toEqual({
    text: 'MSKU1234565 +4',
    title: 'MSKU1234565, TCLU7654321, 3 more',
  });
  expect(containersText(null).text).toBe('–');
});

it('keeps the state, the last free day, the days left and the cost on a narrow screen', () => {
  expect(columnsThatFit(freeTimeColumns, 2000)).toEqual([
    'number',
    'reference',
    'carrier',
    'status',
    'containers',
    'clock',
    'freeDay',
    'daysLeft',
    'cost',
    'seen',
  ]);
  expect(columnsThatFit(freeTimeColumns, 660)).toEqual(['number', 'clock', 'freeDay', 'daysLeft', 'cost']);
});

it('keeps a row in the list while one of its clocks may match, and lets it go when none can', () => {
  const open = { free_time: ['running', 'expiring', 'over'] } as const;
  const match = (row: Parameters<typeof rowMatches>[1], filter: object = open) => rowMatches(filter, row);
  expect(match(listRow({ freeTime: freeTime() }))).toBe('yes');
  expect(match(listRow())).toBe('no');
  expect(match(listRow({ freeTime: freeTime({ state: 'stopped', containers: [] }) }))).toBe('no');
  expect(match(listRow({ freeTime: freeTime({ more: 4, unknown: 1 }) }), { free_time: ['unknown_terms'] })).toBe('yes');
  expect(match(listRow({ freeTime: freeTime({ more: 4 }) }), { free_time: ['running'] })).toBe('unknown');
  expect(match(listRow(), { free_time: ['not_started'] })).toBe('unknown');
});
