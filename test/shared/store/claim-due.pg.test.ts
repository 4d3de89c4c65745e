import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimDue } from '#shared/store/system/claim-due.ts';
import { readPlannedLooks } from '#shared/store/system/planned-looks.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { bySystem } from '#test/support/carrier-looks.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { explainSystemQueries, type QueryCost } from '#test/support/explain-queries.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';

/** Two installations with as much to do, of which one has twenty times as many shipments that are not due. */
const counts = { small: 400, large: 8000 };
const dueCount = 20;
const cores: TestCore[] = [];

beforeAll(async () => {
  for (const count of Object.values(counts)) {
    const core = await openTestCore();
    cores.push(core);
    const { accountId } = await core.newCaller();
    await seedShipments({ databaseUrl: core.databaseUrl, accountId, count });
    await bySystem(
      core,
      `update landfall.polling set next_check_at = now() - interval '1 minute'
      where (account_id, shipment_id) in (select account_id, shipment_id from landfall.polling order by shipment_id limit $1)`,
      [dueCount],
    );
  }
});
afterAll(() => Promise.all(cores.map((core) => core.close())));

async function costOf(fn: (core: TestCore) => Promise<QueryCost[]>): Promise<{ small: QueryCost; large: QueryCost }> {
  const [small, large] = (await Promise.all(cores.map(fn))).map(([cost]) => cost);
  if (small === undefined || large === undefined) throw new Error('nothing was explained');
  return { small, large };
}

it('asking what is planned and due takes a step into one index, however much is planned', async () => {
  const { small, large } = await costOf((core) => explainSystemQueries(core.store, (tx) => readPlannedLooks(tx, ['dcsa', 'ups'])));
  expect(large.readWhole).toEqual([]);
  expect(large.indexes).toEqual(['polling_due']);
  expect(large.blocks).toBeLessThan(small.blocks + 20);
});

it('a claim reads what is due, however much is planned for later', async () => {
  const { small, large } = await costOf((core) =>
    explainSystemQueries(core.store, (tx) => claimDue(tx, 'dcsa', { limit: 10, leaseS: 60 })),
  );
  expect(large.readWhole).toEqual([]);
  expect(large.indexes).toContain('polling_due_by_account');
  expect(large.blocks, large.plan).toBeLessThan(small.blocks * 1.5 + 50);
  const left = await Promise.all(cores.map((core) => withSystem(core.store, (tx) => claimDue(tx, 'dcsa', { limit: 100, leaseS: 60 }))));
  expect(left.map((claims) => claims.length)).toEqual([0, 0]);
});
