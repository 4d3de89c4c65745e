import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, mergeRows } from '#services/dashboard/screens/shipments/list/list-pages.ts';
import { type RowChange, rowChangeOf } from '#services/dashboard/screens/shipments/list/row-before.ts';
import { planMatches, rowMatches } from '#services/dashboard/screens/shipments/list/row-matches.ts';
import { type ListPlan, openStatuses } from '#services/dashboard/screens/shipments/list-plan.ts';
import {
  nothingSelected,
  selectTo,
  toggleAll,
  toggleOne,
} from '#services/dashboard/screens/shipments/selection/selection.ts';
import type { ShipmentRow } from '#services/dashboard/screens/shipments/shipment-row.ts';
import type { WireShipmentChange } from '#shared/contract/feed/change-wire.ts';
import { listPage, listRow } from './list-rows.ts';

/** A change of a shipment that was in the list before. */
const changed = (changes: Partial<ShipmentRow>): RowChange => ({ row: listRow(changes), before: listRow() });

function wireChange(
  { id, ...shipment }: { id: string } & Record<string, unknown>,
  changes: object,
): WireShipmentChange {
  const times = { planned: null, estimated: null, actual: null };
  const summary = {
    free_time: null,
    ...{ shipment_id: id, transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU1' }, tags: [] },
    ...{ status: 'in_transit', origin: null, destination: null, departure: times, arrival: times, delay_hours: null },
    ...{ delivery: { ...times, window: null }, status_detail: null, pieces_count: null },
    ...{ has_exception: false, needs_attention: false, latest_event: null, reference: null, archived_at: null },
    ...{
      tracking: { state: 'active', reason: null, freshness: 'fresh' },
      version: 1,
      created_at: '2026-04-01T00:00:00Z',
    },
    ...shipment,
  };
  const data = { shipment: summary, changes };
  return { type: 'shipment.updated', created_at: '2026-04-02T00:00:00Z', data } as unknown as WireShipmentChange;
}

const plan: ListPlan = { leads: [{ has_exception: true }], chain: [{ status: [...openStatuses] }], grouped: true };

describe('linesOf', () => {
  it('shows a shipment once, at its first position, however often it was loaded', () => {
    const ids = fc.array(fc.nat({ max: 9 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(ids, ids), { maxLength: 4 }), fc.boolean(), (read, grouped) => {
        const pages = read.map(([lead, rows]) =>
          listPage({
            lead: lead.map((id) => listRow({ id: `l${id}` })),
            rows: rows.map((id) => listRow({ id: id < 4 ? `l${id}` : `r${id}` })),
          }),
        );
        const { items, rows, order } = linesOf(pages, grouped);
        expect(new Set(order).size).toBe(order.length);
        expect(new Set(order)).toEqual(
          new Set(pages.flatMap((page) => [...page.lead, ...page.rows]).map(({ id }) => id)),
        );
        expect(items.filter(({ kind }) => kind === 'row').map(({ key }) => key)).toEqual(order);
        expect(rows.map(({ id }) => id)).toEqual(order);
      }),
    );
  });

  it('adds headings only to groups', () => {
    const rest = listPage({ rows: [listRow({ id: 'b' })] });
    const keys = (grouped: boolean, ...pages: Parameters<typeof linesOf>[0]) =>
      linesOf(pages, grouped).items.map(({ key }) => key);
    expect(keys(true, { ...rest, lead: [listRow({ id: 'a' })] })).toEqual(['needs', 'a', 'rest', 'b']);
    expect(keys(true, listPage({ lead: [listRow({ id: 'a' })] }))).toEqual(['needs', 'a']);
    expect(keys(true, rest)).toEqual(['b']);
    expect(keys(false, { ...rest, lead: [listRow({ id: 'a' })] })).toEqual(['a', 'b']);
  });
});

describe('mergeRows', () => {
  it('updates a row in place and reports its id', () => {
    const pages = [
      listPage({ rows: [listRow({ id: 'a' }), listRow({ id: 'b' })] }),
      listPage({ rows: [listRow({ id: 'c' })] }),
    ];
    const merged = mergeRows(pages, plan, [
      changed({ id: 'c', version: 2, status: 'arrived' }),
      changed({ id: 'c', version: 3, status: 'delivered' }),
    ]);
    expect(merged.changed).toEqual(['c']);
    expect(merged.pages[1]?.rows[0]).toMatchObject({ id: 'c', status: 'delivered', version: 3 });
    expect(merged.pages[0]).toBe(pages[0]);
  });

  it('keeps what a change does not contain', () => {
    const known = {
      metadata: { buyer: 'acme' },
      containerCount: 3,
      vehicle: { name: 'Ever', voyage: '1E', flight: null },
    };
    const pages = [listPage({ rows: [listRow({ id: 'a', version: 1, ...known })] })];
    const merged = mergeRows(pages, plan, [changed({ id: 'a', version: 2, status: 'arrived' })]);
    expect(merged.pages[0]?.rows[0]).toMatchObject({ version: 2, status: 'arrived', ...known });
  });

  it('has changed metadata, also if another change follows', () => {
    const pages = [listPage({ rows: [listRow({ id: 'a', version: 1, metadata: { buyer: 'acme' } })] })];
    const merged = mergeRows(pages, plan, [
      changed({ id: 'a', version: 2, metadata: { buyer: 'globex' } }),
      changed({ id: 'a', version: 3, status: 'arrived' }),
    ]);
    expect(merged.pages[0]?.rows[0]).toMatchObject({ version: 3, metadata: { buyer: 'globex' } });
    const edited = wireChange({ id: 'a' }, { metadata: [{}, { buyer: 'globex' }] });
    expect(rowChangeOf(edited).row.metadata).toEqual({ buyer: 'globex' });
  });

  it('never replaces a row by an older version', () => {
    const pages = [listPage({ rows: [listRow({ id: 'a', version: 5, status: 'delivered' })] })];
    const merged = mergeRows(pages, plan, [changed({ id: 'a', version: 4, status: 'arrived' })]);
    expect(merged).toEqual({ pages, changed: [] });
  });

  it('never moves or loses a row', () => {
    const rows = fc.array(
      fc.record({
        id: fc.constantFrom('a', 'b', 'c', 'd'),
        version: fc.nat({ max: 5 }),
        status: fc.constantFrom('booked', 'delivered'),
      }),
    );
    fc.assert(
      fc.property(rows, (updates) => {
        const pages = [listPage({ lead: [listRow({ id: 'a' })], rows: [listRow({ id: 'b' }), listRow({ id: 'c' })] })];
        const merged = mergeRows(
          pages,
          plan,
          updates.map((update) => changed(update)),
        );
        expect(linesOf(merged.pages, true).order).toEqual(['a', 'b', 'c']);
      }),
    );
  });

  it('reports shipments that enter the list without inserting them, until they leave it', () => {
    const pages = [listPage({ rows: [listRow({ id: 'a' })] })];
    const first = mergeRows(pages, plan, [
      { row: listRow({ id: 'new', status: 'booked' }), before: null },
      { row: listRow({ id: 'over', status: 'delivered' }), before: null },
    ]);
    expect(first.pages[0]?.arrived).toEqual(['new']);
    const second = mergeRows(first.pages, plan, [changed({ id: 'new', status: 'delivered', version: 2 })]);
    expect(second.pages[0]?.arrived).toEqual([]);
  });

  it('does not report changes of shipments that are in the list but not loaded, and reports each other once', () => {
    const pages = [listPage({ rows: [listRow({ id: 'a' })], next: { link: 0, cursor: 'c' } })];
    const moved = { id: 'unloaded', status: 'arrived', version: 4 };
    const change = (data: object) => rowChangeOf(wireChange({ ...moved, id: 'unloaded' }, data));
    const first = mergeRows(pages, plan, [
      change({ events_count: [3, 4] }),
      change({ status: ['in_transit', 'arrived'] }),
    ]);
    expect(first.pages[0]?.arrived).toEqual([]);
    const returned = { ...moved, id: 'returned', version: 5 };
    const again = [
      rowChangeOf(wireChange(returned, { status: ['delivered', 'arrived'] })),
      rowChangeOf(wireChange(returned, { events_count: [4, 5] })),
      rowChangeOf(wireChange({ ...returned, version: 6 }, { events_count: [5, 6] })),
    ];
    expect(mergeRows(first.pages, plan, again).pages[0]?.arrived).toEqual(['returned']);
  });

  it('derives from the old values of a change whether a shipment needed attention before', () => {
    const needing: ListPlan = { leads: [], chain: [{ needs_attention: true }], grouped: false };
    const arrivedBy = (data: object, shipment: object = {}) =>
      mergeRows([listPage()], needing, [rowChangeOf(wireChange({ id: 'b', needs_attention: true, ...shipment }, data))])
        .pages[0]?.arrived;
    expect(arrivedBy({ tracking_state: ['active', 'failed'] })).toEqual(['b']);
    expect(arrivedBy({ tracking_state: ['active', 'failed'] }, { late: true, overdue_hours: 30 })).toEqual([]);
    expect(arrivedBy({ needs_attention: [false, true] })).toEqual(['b']);
    expect(
      arrivedBy({ tracking_reason: ['no_updates_60d', 'internal_error'], tracking_state: ['failed', 'failed'] }),
    ).toEqual([]);
    expect(arrivedBy({ events_count: [1, 2] })).toEqual([]);
  });

  it('keeps known exceptions, which the feed does not contain', () => {
    const pages = [
      listPage({
        rows: [listRow({ id: 'a', hasException: true, exceptions: [{ code: 'customs_hold', severity: 'warning' }] })],
      }),
    ];
    const merged = (hasException: boolean) =>
      mergeRows(pages, plan, [changed({ id: 'a', version: 2, hasException, exceptions: hasException ? null : [] })]);
    expect(merged(true).pages[0]?.rows[0]?.exceptions).toEqual([{ code: 'customs_hold', severity: 'warning' }]);
    expect(merged(false).pages[0]?.rows[0]?.exceptions).toEqual([]);
  });
});

describe('rowMatches', () => {
  it('decides every filter on fields of the row', () => {
    const row = listRow({ tags: ['acme'], delayHours: 30 });
    expect(
      rowMatches(
        {
          status: ['in_transit'],
          transport_mode: ['ocean'],
          carrier: ['MAEU'],
          tag: ['acme', 'x'],
          delayed_min_hours: 24,
        },
        row,
      ),
    ).toBe('yes');
    expect(rowMatches({ destination: ['nlrtm'] }, row)).toBe('yes');
    expect(rowMatches({ destination: ['Rotter'], origin: ['CN'] }, row)).toBe('yes');
    for (const filter of [
      { status: ['delivered' as const] },
      { tracking_state: ['failed' as const] },
      { delayed_min_hours: 31 },
      { stale: true },
      { archived: 'true' as const },
      { has_exception: true },
      { destination: ['DEHAM'] },
      { eta_to: '2026-04-10T00:00:00Z' },
    ]) {
      expect(rowMatches(filter, row)).toBe('no');
    }
  });

  it('is undecided on fields that rows do not contain', () => {
    expect(rowMatches({ q: 'ever given' }, listRow())).toBe('unknown');
    expect(rowMatches({ identifier: ['MAEU1'] }, listRow())).toBe('unknown');
    expect(planMatches({ ...plan, leads: [] }, listRow({ status: 'delivered' }))).toBe('no');
  });
});

describe('a selection', () => {
  const order = ['a', 'b', 'c', 'd', 'e'];

  it('selects a range from the last selected row, in both directions', () => {
    const from = (anchor: string, to: string) =>
      [...selectTo(toggleOne(nothingSelected, anchor, order), to, order).ids].sort();
    expect(from('b', 'd')).toEqual(['b', 'c', 'd']);
    expect(from('d', 'b')).toEqual(['b', 'c', 'd']);
    expect([...selectTo(nothingSelected, 'c', order).ids]).toEqual(['c']);
  });

  it('selects all rows, or none if all are selected', () => {
    const all = toggleAll(toggleOne(nothingSelected, 'b', order), order);
    expect([...all.ids].sort()).toEqual(order);
    expect(toggleAll(all, order).ids.size).toBe(0);
  });
});
