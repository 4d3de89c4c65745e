import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ShipmentFilter, type ShipmentSort, shipmentSorts } from '#shared/domain/lists/filter.ts';
import { resolveFilter } from '#shared/places/read-place.ts';
import { countShipments } from '#shared/store/lists/shipment-counts.ts';
import { type ListPosition, readShipmentPage } from '#shared/store/lists/shipment-list.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { scaled } from '#test/support/run-scale.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';
import { explainQueries, type QueryCost } from '#test/support/stores/explain-queries.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

const shipmentCount = scaled({ short: 12_000, full: 100_000 });

let core: TestCore;
let accountId: string;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  accountId = (await core.newCaller()).accountId;
  await seedShipments({ databaseUrl: core.databaseUrl, accountId, count: shipmentCount });
});

afterAll(() => core.close());

function costsOfPage(
  filter: ShipmentFilter,
  sort: ShipmentSort,
  after: ListPosition | null = null,
): Promise<QueryCost[]> {
  const request = { sort, limit: 25, after, withEvents: false };
  return explainQueries(core.store, accountId, (tx) =>
    readShipmentPage(tx, { accountId, test: false, filter: resolveFilter(filter) }, request),
  );
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** A page of 25 touches about 25 rows of two tables and their indexes. */
const fewBlocks = 600;
/** At most 2,000 candidates are looked up one by one, four blocks each. */
const maxNarrowedBlocks = 8500;

describe('the cost of a page', () => {
  test.each<[ShipmentFilter, ShipmentSort, number?]>([
    [{}, '-created_at'],
    [{}, 'eta'],
    [{}, '-updated_at'],
    [{}, '-last_event_at'],
    [{ status: ['in_transit'] }, '-created_at'],
    [{ status: ['in_transit', 'arrived'] }, '-created_at'],
    [{ carrier: ['HLCU'] }, '-created_at'],
    [{ carrier: ['HLCU', 'MAEU'] }, '-updated_at'],
    [{ tag: ['rare'] }, '-created_at'],
    [{ tag: ['common'] }, '-created_at'],
    [{ tag: ['absent'] }, '-created_at'],
    [{ origin: ['AAX00'] }, '-created_at', maxNarrowedBlocks],
    [{ destination: ['BAYER'] }, '-created_at'],
    [{ origin: ['ZZ'] }, '-created_at'],
    [{ origin: ['AC'], destination: ['BC'] }, '-created_at', maxNarrowedBlocks],
    [{ etaFrom: inDays(10), etaTo: inDays(12) }, 'eta'],
    [{ updatedSince: inDays(-3) }, '-updated_at'],
    [{ q: 'po-4711' }, '-created_at'],
    [{ q: 'maeu' }, '-created_at'],
    [{ q: 'nothing like this' }, '-created_at'],
    [{ identifier: ['MAEU100000500'] }, '-created_at'],
    [{ identifiers: { mbl: ['100000500', '100000501'] } }, '-created_at'],
    [{ reference: ['PO-77'] }, '-created_at'],
    [{ reference: ['ORDER-80'] }, '-created_at'],
    [{ stale: true }, '-created_at', maxNarrowedBlocks],
    [{ hasException: true }, '-created_at'],
    [{ exception: ['customs_hold'] }, '-created_at'],
    [{ archived: true }, '-created_at'],
    [{ archived: 'any' }, '-created_at'],
    [{ metadata: { lot: ['4711'] } }, '-created_at', maxNarrowedBlocks],
    [{ metadata: { desk: ['1'] } }, '-created_at', maxNarrowedBlocks],
    [{ metadata: { lot: ['nothing like this'] } }, '-created_at'],
    [{ vessel: ['vessel 4711'] }, '-created_at', maxNarrowedBlocks],
    [{ vessel: ['9811000'] }, '-created_at'],
    [{ containerStatus: ['failed'] }, '-created_at', maxNarrowedBlocks],
    [{ containerStatus: ['in_transit'] }, '-created_at', maxNarrowedBlocks],
    [{ q: '鹿特' }, '-created_at', maxNarrowedBlocks],
    [{ q: '上海' }, '-created_at'],
    [{ archived: 'any', status: ['arrived'] }, '-created_at'],
  ])('does not grow with the account for %j by %s', async (filter, sort, maxBlocks = fewBlocks) => {
    const blocksOf = (some: typeof costs) => some.reduce((sum, { blocks }) => sum + blocks, 0);
    let costs = await costsOfPage(filter, sort);
    // Tables that were analysed since have their entries of the catalogue read again, once.
    for (let time = 0; time < 2 && blocksOf(costs) > maxBlocks; time++) costs = await costsOfPage(filter, sort);
    const plans = costs.map(({ plan }) => plan).join('\n');
    expect(
      costs.flatMap(({ readWhole }) => readWhole),
      plans,
    ).toEqual([]);
    expect(Math.max(...costs.map(({ sortedRows }) => sortedRows)), plans).toBeLessThanOrEqual(2000);
    expect(blocksOf(costs), plans).toBeLessThanOrEqual(maxBlocks);
  });
});

test.each<[ShipmentSort, ShipmentFilter]>([
  ...shipmentSorts.map((sort): [ShipmentSort, ShipmentFilter] => [sort, {}]),
  ['eta', { etaFrom: inDays(-1) }],
  ['-eta', { etaTo: inDays(1000) }],
  ['-created_at', { createdTo: inDays(0) }],
  ['created_at', { createdFrom: inDays(-2000) }],
  ['updated_at', { updatedSince: inDays(-2000) }],
  ['-updated_at', { updatedSince: inDays(-2000) }],
  ['-created_at', { carrier: ['HLCU'] }],
])('reads the last page by %s of %j at the cost of the first one', async (sort, filter) => {
  const column = sort.replace('-', '');
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const { rows } = await withAccount(core.store, accountId, (tx) =>
    tx.query<{ value: Date | number; id: string }>(
      `select ${column} as value, id from landfall.shipments where account_id = $1 and ${column} is not null
      order by ${column} ${direction}, id ${direction} limit 1
      offset (select floor(count(${column}) * 0.97) from landfall.shipments where account_id = $1)`,
      [accountId],
    ),
  );
  const [deep] = rows;
  if (deep === undefined) throw new Error('there is no such row');
  const after: ListPosition = { value: positionOf(deep.value), id: deep.id, asOf: new Date().toISOString() };
  const [first, last] = [await costsOfPage(filter, sort), await costsOfPage(filter, sort, after)];
  const blocksOf = (costs: QueryCost[]) => costs.reduce((sum, { blocks }) => sum + blocks, 0);
  expect(blocksOf(last), last.map(({ plan }) => plan).join('\n')).toBeLessThanOrEqual(blocksOf(first) + 40);
});

test('counts kept counts exactly beyond 10,000 and others up to 10,000', async () => {
  const scope = { accountId, test: false, filter: {} };
  const counts = await withAccount(core.store, accountId, (tx) => countShipments(tx, scope));
  expect(counts).toMatchObject({ total: shipmentCount, totalIsLowerBound: false });
  const filtered = await withAccount(core.store, accountId, (tx) =>
    countShipments(tx, { ...scope, filter: { createdFrom: inDays(-10_000) } }),
  );
  expect(filtered).toMatchObject({ total: 10_000, totalIsLowerBound: true });
  expect(counts.byStatus).toMatchObject({ failed: Math.floor(shipmentCount / 1000), cancelled: 0 });
  expect(counts.hasException).toBe(Math.floor(shipmentCount / 20));
  const { rows } = await withAccount(core.store, accountId, (tx) =>
    tx.query<{ state: 'active'; counted: number }>(
      'select state, count(*) as counted from landfall.polling where account_id = $1 group by 1',
      [accountId],
    ),
  );
  for (const { state, counted } of rows) {
    expect(counts.byTrackingState[state]).toBe(counted);
    // Exact, or a lower bound where an exact count takes too long.
    expect(filtered.byTrackingState[state]).toBeLessThanOrEqual(Math.min(10_000, counted));
  }
  const some = await withAccount(core.store, accountId, (tx) =>
    countShipments(tx, { ...scope, filter: { status: ['failed'] } }),
  );
  expect(some).toMatchObject({ total: Math.floor(shipmentCount / 1000), totalIsLowerBound: false });
});

function positionOf(value: Date | number): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
