import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResolvedFilter } from '#shared/domain/lists/filter.ts';
import { countGroups } from '#shared/store/lists/group-counts.ts';
import { readShipmentPage } from '#shared/store/lists/shipment-list.ts';
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

/** A day in the middle of those that the seed has. */
async function middleOf(column: string): Promise<string> {
  const { rows } = await withAccount(core.store, accountId, (tx) =>
    tx.query<{ day: string }>(
      `select percentile_disc(0.5) within group (order by ${column})::text as day from landfall.shipments where account_id = $1`,
      [accountId],
    ),
  );
  return rows[0]?.day ?? '';
}

it.each(['departed', 'delivered'] as const)('finds the shipments of a day of %s by its index', async (name) => {
  const day = await middleOf(`${name}_day`);
  const filters: ResolvedFilter[] = [
    { [`${name}From`]: day, [`${name}To`]: day },
    { [`${name}From`]: `${day}T06:00:00.000Z`, [`${name}To`]: `${day}T18:00:00.000Z` },
  ];
  for (const filter of filters) {
    const [cost] = await explainQueries(core.store, accountId, (tx) =>
      readShipmentPage(
        tx,
        { accountId, test: false, filter },
        { sort: '-created_at', limit: 25, after: null, withEvents: false },
      ),
    );
    expect(cost?.indexes, cost?.plan).toContain(`shipments_by_${name}_day`);
    expect(cost?.readWhole, cost?.plan).toEqual([]);
  }
});

it('counts every match in its group', async () => {
  const scope = { accountId, test: false, filter: {} };
  const groups = await withAccount(core.store, accountId, (tx) => countGroups(tx, scope, 'carrier'));
  const { rows } = await withAccount(core.store, accountId, (tx) =>
    tx.query<{ carrier: string; counted: number }>(
      'select carrier, count(*)::int as counted from landfall.shipments where account_id = $1 group by 1',
      [accountId],
    ),
  );
  expect(groups.isPartial).toBe(false);
  expect(Object.fromEntries(groups.groups.map(({ key, count }) => [key, count]))).toEqual(
    Object.fromEntries(rows.map(({ carrier, counted }) => [carrier, counted])),
  );
});
