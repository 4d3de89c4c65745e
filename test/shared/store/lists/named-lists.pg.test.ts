import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { parseListShipmentsQuery } from '#shared/contract/lists/list-shipments-query.ts';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/lists/filter.ts';
import { matchesFilter } from '#shared/domain/lists/matches-filter.ts';
import { type NamedList, namedLists } from '#shared/domain/lists/named-lists.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { resolveFilter } from '#shared/places/read-place.ts';
import { type ListPosition, readShipmentPage } from '#shared/store/lists/shipment-list.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';
import { explainQueries } from '#test/support/stores/explain-queries.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
let accountId: string;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  accountId = (await core.newCaller()).accountId;
  await seedShipments({ databaseUrl: core.databaseUrl, accountId, count: 6000 });
});

afterAll(() => core.close());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Each list with its query in this test and the index that holds it in order. */
const asked: Record<string, { filters: ShipmentFilter[]; index: string }> = {
  newest: { filters: [{}, { createdFrom: inDays(-30), createdTo: inDays(-10) }], index: 'shipments_by_created_at' },
  status: {
    filters: [{ status: ['arrived'] }, { status: ['arrived', 'failed', 'pending'] }],
    index: 'shipments_by_status',
  },
  'status, latest change first': {
    filters: [{ status: ['in_transit'] }, { status: ['cancelled', 'failed'] }],
    index: 'shipments_by_status_updated_at',
  },
  mode: {
    filters: [{ transportMode: ['air'] }, { transportMode: ['air', 'rail'] }],
    index: 'shipments_by_transport_mode',
  },
  carrier: { filters: [{ carrier: ['HLCU'] }, { carrier: ['HLCU', 'MSCU'] }], index: 'shipments_by_carrier' },
  tag: { filters: [{ tag: ['common'] }, { tag: ['rare'] }], index: 'shipment_tags_pkey' },
  arriving: {
    filters: [
      { etaFrom: inDays(10), etaTo: inDays(100) },
      { etaFrom: inDays(10).slice(0, 10), etaTo: inDays(100).slice(0, 10) },
    ],
    index: 'shipments_by_eta',
  },
  late: { filters: [{ late: true }], index: 'shipments_late_by_created_at' },
  exceptions: { filters: [{ hasException: true }], index: 'shipments_with_exception' },
  'needs attention': { filters: [{ needsAttention: true }], index: 'shipments_needing_attention' },
  changed: { filters: [{ updatedSince: inDays(-20) }], index: 'shipments_by_updated_at' },
  'last free day': {
    filters: [
      { lastFreeDayTo: inDays(30).slice(0, 10) },
      { lastFreeDayFrom: inDays(5).slice(0, 10), lastFreeDayTo: inDays(60).slice(0, 10) },
    ],
    index: 'shipments_by_last_free_day',
  },
  'free time': {
    filters: [{ freeTime: ['over'] }, { freeTime: ['over', 'expiring'] }],
    index: 'shipments_with_open_clock',
  },
};

const opposite = (sort: ShipmentSort) => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`) as ShipmentSort;
const cases = namedLists.flatMap((list) =>
  (asked[list.name]?.filters ?? []).flatMap((filter) =>
    [list.sort, opposite(list.sort)].map((sort) => ({ list, filter, sort })),
  ),
);

function readPage(filter: ShipmentFilter, sort: ShipmentSort, after: ListPosition | null, limit = 25) {
  return withAccount(core.store, accountId, (tx) =>
    readShipmentPage(
      tx,
      { accountId, test: false, filter: resolveFilter(filter) },
      { sort, limit, after, withEvents: false },
    ),
  );
}

async function readAll(filter: ShipmentFilter, sort: ShipmentSort, limit = 100): Promise<Shipment[]> {
  const shipments: Shipment[] = [];
  for (let after: ListPosition | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const page = await readPage(filter, sort, after, limit);
    shipments.push(...page.shipments);
    after = page.next;
  }
  return shipments;
}

describe('a named list', () => {
  it.each(cases)('reads $list.name by $sort from its index: $filter', async ({ list, filter, sort }) => {
    const shipments = await readAll(filter, sort, 500);
    const middle = shipments[Math.floor(shipments.length / 2)];
    const page = middle === undefined ? null : await pageBefore(filter, sort, middle);
    for (const after of page === null ? [null] : [null, page]) {
      const costs = await explainQueries(core.store, accountId, (tx) =>
        readShipmentPage(
          tx,
          { accountId, test: false, filter: resolveFilter(filter) },
          { sort, limit: 25, after, withEvents: false },
        ),
      );
      const plans = costs.map(({ plan }) => plan).join('\n');
      expect(costs[0]?.indexes, plans).toContain(asked[list.name]?.index);
      expect(costs[0]?.readWhole, plans).toEqual([]);
      // One page per value, of which the first rows are returned.
      expect(costs[0]?.sortedRows, plans).toBeLessThanOrEqual(26 * 3);
      expect(costs[0]?.blocks, plans).toBeLessThanOrEqual(26 * 4 * 5);
    }
  });
});

/** The position at the end of the page before this shipment. */
async function pageBefore(filter: ShipmentFilter, sort: ShipmentSort, before: Shipment): Promise<ListPosition> {
  const value = { created_at: before.createdAt, updated_at: before.updatedAt, eta: null }[sort.replace('-', '')];
  const { rows } = await withAccount(core.store, accountId, (tx) =>
    tx.query<{ eta: Date | null; last_free_day: string | null }>(
      'select eta, last_free_day::text from landfall.shipments where account_id = $1 and id = $2',
      [accountId, before.id],
    ),
  );
  const stored = sort.endsWith('last_free_day') ? rows[0]?.last_free_day : rows[0]?.eta?.toISOString();
  expect(matchesFilterButTimes(filter, before)).toBe(true);
  return { value: value ?? stored ?? null, id: before.id, asOf: new Date().toISOString() };
}

/** The seed stores in columns what records store in a journey. */
function matchesFilterButTimes(filter: ShipmentFilter, shipment: Shipment): boolean {
  const { status, transportMode, carrier, tag } = filter;
  const parts = {
    ...(transportMode && { transportMode }),
    ...(carrier && { carrier }),
    ...(tag && { tag }),
    ...(status && { status }),
  };
  return matchesFilter(parts, shipment);
}

test.each<[ShipmentFilter, ShipmentSort]>([
  [{ tag: ['common'] }, '-created_at'],
  [{ tag: ['common'], status: ['arrived'] }, 'created_at'],
  [{ tag: ['rare', 'common'] }, '-created_at'],
  [{ tag: ['rare'], q: 'maeu' }, '-created_at'],
  [{ carrier: ['HLCU', 'MSCU'], status: ['pending', 'booked'] }, 'created_at'],
  [{ status: ['failed', 'pending', 'cancelled'] }, '-updated_at'],
  [{ status: ['arrived'] }, 'last_free_day'],
  [{ status: ['arrived'] }, '-last_free_day'],
  [{ q: 'harbour haven' }, '-created_at'],
  [{ q: 'po-12' }, 'created_at'],
  [{ q: 'po-12' }, 'eta'],
  [{ origin: ['AAX00'] }, '-created_at'],
])('pages through every match of %j by %s once, in order', async (filter, sort) => {
  const [shipments, all] = [await readAll(filter, sort, 40), await readAll({}, sort, 500)];
  const matching = all.filter((shipment) => matches(filter, shipment));
  expect(matching.length).toBeGreaterThan(0);
  expect(shipments.map(({ id }) => id)).toEqual(matching.map(({ id }) => id));
});

/** Like `matchesFilter`, with the seed's columns where its records have no value. */
function matches({ q, origin, ...filter }: ShipmentFilter, shipment: Shipment): boolean {
  return (
    matchesFilter(resolveFilter(filter), shipment) &&
    (q === undefined || found.has(`${q} ${shipment.id}`)) &&
    (origin === undefined || found.has(`${origin} ${shipment.id}`))
  );
}

const found = new Set<string>();
beforeAll(async () => {
  await withAccount(core.store, accountId, async (tx) => {
    const { rows } = await tx.query<{ id: string; search_text: string; origin_unlocode: string }>(
      'select id, search_text, origin_unlocode from landfall.shipments where account_id = $1',
      [accountId],
    );
    for (const { id, search_text, origin_unlocode } of rows) {
      found.add(`${origin_unlocode} ${id}`);
      for (const q of ['maeu', 'po-12', 'harbour haven'])
        if (q.split(' ').every((word) => search_text.includes(word))) found.add(`${q} ${id}`);
    }
  });
});

test('uses example queries that match the named lists', () => {
  for (const list of namedLists) {
    const { filter, sort } = parseListShipmentsQuery(Object.fromEntries(new URLSearchParams(list.example)));
    expect([list.name, sort]).toEqual([list.name, list.sort]);
    expect(Object.keys(filter).length).toBeGreaterThan(0);
    expect(filtersOutside(list, filter)).toEqual([]);
  }
  expect(Object.keys(asked)).toEqual(namedLists.map(({ name }) => name));
  expect(namedLists).toHaveLength(13);
});

function filtersOutside(list: NamedList, filter: ShipmentFilter): string[] {
  return Object.keys(filter).filter((name) => !(list.filters as readonly string[]).includes(name));
}

test('documents each list with its index in docs/operate/performance.md', () => {
  const page = readFileSync(new URL('../../../../docs/operate/performance.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('sort='));
  expect(rows).toHaveLength(namedLists.length);
  for (const { name, example } of namedLists)
    expect(
      rows.filter((row) => row.includes(`\`${example}\``) && row.includes(`\`${asked[name]?.index}\``)),
    ).toHaveLength(1);
});
