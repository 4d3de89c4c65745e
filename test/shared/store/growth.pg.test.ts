import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { insertRefresh, type Refresh, readRefreshes } from '#shared/store/tracking/refreshes.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
});

afterAll(() => core.close());

it('updates the row of a repeated refresh in place without new index entries', async () => {
  const { accountId, shipmentId } = await register();
  await withAccount(core.store, accountId, (tx) => insertRefresh(tx, accountId, shipmentId, unchanged));
  const updates = await withAccount(core.store, accountId, async (tx) => {
    await insertRefresh(tx, accountId, shipmentId, unchanged);
    const { rows } = await tx.query<{ all: number; inPlace: number }>(
      `select n_tup_upd::integer as all, n_tup_hot_upd::integer as "inPlace" from pg_stat_xact_user_tables where schemaname = 'landfall' and relname = 'refreshes'`,
    );
    return rows[0];
  });
  expect(updates).toEqual({ all: 1, inPlace: 1 });
});

it('keeps the newest 20 refreshes, newest first, and counts a run of unchanged ones as one', async () => {
  const { accountId, shipmentId } = await register();
  const keep = (refresh: Refresh) =>
    withAccount(core.store, accountId, (tx) => insertRefresh(tx, accountId, shipmentId, refresh));
  for (let n = 1; n <= 24; n += 1) await keep({ ...unchanged, outcome: 'changed', eventsAdded: n });
  for (let n = 1; n <= 5; n += 1) await keep(unchanged);
  await keep({ ...unchanged, outcome: 'changed', eventsAdded: 25 });
  const refreshes = await withAccount(core.store, accountId, (tx) => readRefreshes(tx, accountId, shipmentId));
  expect(
    refreshes.map(({ outcome, eventsAdded, count }) => (outcome === 'unchanged' ? `unchanged ${count}` : eventsAdded)),
  ).toEqual([25, 'unchanged 5', ...Array.from({ length: 18 }, (_, n) => 24 - n)]);
  expect(await rowsOf(shipmentId)).toBe(20);
});

it('documents the retention of every table in docs/reference/data-model.md, and of no other', async () => {
  const page = readFileSync(new URL('../../../docs/reference/data-model.md', import.meta.url), 'utf8');
  const lists = page.split('\n\n').filter((block) => /^\| table .* kept +\|$/m.test(block));
  const firstCells = lists.flatMap((list) => list.split('\n').map((line) => line.split('|')[1] ?? ''));
  const named = firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1]));
  const tables = await withSystem(core.store, async (tx) => {
    const { rows } = await tx.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'landfall'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    return rows.map(({ name }) => name);
  });
  expect(named.toSorted()).toEqual(tables.filter((name) => name !== 'migrations').toSorted());
});

const unchanged: Refresh = {
  outcome: 'unchanged',
  reason: null,
  httpStatus: 200,
  durationMs: 5,
  eventsAdded: 0,
  source: 'simulator:dcsa:maersk',
  traceId: null,
  traceKept: false,
};

async function register(): Promise<{ accountId: string; shipmentId: string }> {
  const caller = await core.newCaller();
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration());
  return { accountId: caller.accountId, shipmentId: shipment.id };
}

function rowsOf(shipmentId: string): Promise<number> {
  return withSystem(core.store, async (tx) => {
    const { rows } = await tx.query<{ count: number }>(
      'select count(*)::integer as count from landfall.refreshes where shipment_id = $1',
      [shipmentId],
    );
    return rows[0]?.count ?? 0;
  });
}
