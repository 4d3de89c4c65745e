import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimDue, readConnectorWork } from '#shared/store/system/tracking/claim-due.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { bySystem } from '#test/support/carriers/carrier-refreshes.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';
import { explainSystemQueries, type QueryCost } from '#test/support/stores/explain-queries.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

/**
 * Two installations with the same amount of due work, one of which has twenty times as many shipments that are not due.
 */
const counts = { small: 400, large: 8000 };
const dueCount = 20;
const cores: TestCore[] = [];

beforeAll(async () => {
  for (const count of Object.values(counts)) {
    const core = await openTestCore({}, ownDatabase);
    cores.push(core);
    const { accountId } = await core.newCaller();
    await seedShipments({ databaseUrl: core.databaseUrl, accountId, count });
    await bySystem(
      core,
      `update landfall.polling set next_refresh_at = now() - interval '1 minute'
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

it('reads scheduled and due work with one index lookup, for any amount of scheduled work', async () => {
  const { small, large } = await costOf((core) =>
    explainSystemQueries(core.store, (tx) => readConnectorWork(tx, ['dcsa', 'ups'])),
  );
  expect(large.readWhole).toEqual([]);
  expect(large.indexes).toEqual(['polling_due']);
  expect(large.blocks).toBeLessThan(small.blocks + 20);
});

it.each([
  { amount: 'little', fewDue: 1000, index: 'polling_due' },
  { amount: 'much', fewDue: 1, index: 'polling_due_by_account' },
])(
  'reads the same for a claim among $amount due shipments with any number scheduled for later',
  async ({ fewDue, index }) => {
    await makeDueAgain();
    // Otherwise it depends on autovacuum how many pages have room for the new versions, and so how many blocks are read.
    await Promise.all(cores.map(vacuumPolling));
    const { small, large } = await costOf((core) =>
      explainSystemQueries(core.store, (tx) => claimDue(tx, 'dcsa', { limit: 10, leaseS: 60, fewDue })),
    );
    expect(large.readWhole).toEqual([]);
    expect(large.indexes).toContain(index);
    expect(large.blocks, large.plan).toBeLessThan(small.blocks * 1.5 + 50);
    const left = await Promise.all(cores.map((core) => claim(core, { limit: 100, fewDue })));
    expect(left.map((claims) => claims.length)).toEqual([0, 0]);
  },
);

it.each([
  ['little', 1000],
  ['much', 1],
])(
  'gives each account its turn among %s due shipments, oldest first, and skips leased and excluded ones',
  async (_amount, fewDue) => {
    const core = await openTestCore({}, ownDatabase);
    try {
      const [busy, quiet, leftOut] = await Promise.all([core.newCaller(), core.newCaller(), core.newCaller()]);
      for (const [{ accountId }, count] of [
        [busy, 40],
        [quiet, 3],
        [leftOut, 5],
      ] as const) {
        await seedShipments({ databaseUrl: core.databaseUrl, accountId, count });
      }
      await bySystem(
        core,
        `update landfall.polling as p set next_refresh_at = now() - n * interval '1 minute', lease_until = case when n = 40 then now() + interval '1 hour' end
      from (select shipment_id, row_number() over (partition by account_id order by shipment_id) as n from landfall.polling) as numbered
      where p.shipment_id = numbered.shipment_id`,
        [],
      );
      const claims = await claim(core, { limit: 8, fewDue, exceptAccounts: [leftOut.accountId] });
      const countOf = (accountId: string) => claims.filter((one) => one.accountId === accountId).length;
      expect([countOf(quiet.accountId), countOf(busy.accountId), countOf(leftOut.accountId)]).toEqual([3, 5, 0]);
      const { rows } = await withSystem(core.store, (tx) =>
        tx.query<{ minutes: number }>(
          `select round(extract(epoch from now() - next_refresh_at) / 60)::int as minutes from landfall.polling
        where account_id = $1 and epoch > 0 and lease_until < now() + interval '2 minutes' order by 1 desc`,
          [busy.accountId],
        ),
      );
      expect(rows.map(({ minutes }) => minutes)).toEqual([39, 38, 37, 36, 35]);
    } finally {
      await core.close();
    }
  },
);

it.each([
  ['little', 1000],
  ['much', 1],
])(
  'claims hurried refreshes before %s due work, of its own account and of others, and one other for each three',
  async (_amount, fewDue) => {
    const core = await openTestCore({}, ownDatabase);
    try {
      const [own, other] = await Promise.all([core.newCaller(), core.newCaller()]);
      for (const { accountId } of [own, other])
        await seedShipments({ databaseUrl: core.databaseUrl, accountId, count: 30 });
      // The hurried ones are due last, and their account's budget is used up.
      await bySystem(
        core,
        `update landfall.polling as p set next_refresh_at = now() - n * interval '1 minute', hurried = n <= 7 and account_id = $1
        from (select shipment_id, row_number() over (partition by account_id order by shipment_id) as n from landfall.polling) as numbered
        where p.shipment_id = numbered.shipment_id`,
        [own.accountId],
      );
      const exceptAccounts = [own.accountId];
      const first = await claim(core, { limit: 3, fewDue, exceptAccounts });
      expect(first.map((one) => [one.accountId, one.hurried])).toEqual(first.map(() => [own.accountId, true]));
      const second = await claim(core, { limit: 5, fewDue });
      expect(second.map(({ hurried = false }) => hurried).toSorted()).toEqual([false, false, true, true, true]);
      const rest = await claim(core, { limit: 100, fewDue });
      expect(rest.filter(({ hurried }) => hurried)).toHaveLength(1);
      expect(rest).toHaveLength(52);
    } finally {
      await core.close();
    }
  },
);

it('claims in place, without an entry in any index', async () => {
  const [core] = cores;
  if (core === undefined) expect.fail('there is no installation');
  const claimAll = async () => {
    await makeDueAgain();
    await vacuumPolling(core);
    return withSystem(core.store, async (tx) => {
      const counted = async () => {
        const { rows } = await tx.query<{ updated: number; in_place: number }>(
          `select pg_stat_get_xact_tuples_updated(oid) as updated, pg_stat_get_xact_tuples_hot_updated(oid) as in_place
          from pg_class where oid = 'landfall.polling'::regclass`,
        );
        return rows[0] ?? expect.fail('there are no statistics');
      };
      const before = await counted();
      expect(await claimDue(tx, 'dcsa', { limit: dueCount, leaseS: 60 })).toHaveLength(dueCount);
      const after = await counted();
      return { updated: after.updated - before.updated, inPlace: after.in_place - before.in_place };
    });
  };
  // While an automatic analyze runs, former versions of the rows stay and take the room.
  await expect.poll(claimAll).toEqual({ updated: dueCount, inPlace: dueCount });
});

function claim(core: TestCore, options: { limit: number; fewDue: number; exceptAccounts?: string[] }) {
  return withSystem(core.store, (tx) => claimDue(tx, 'dcsa', { leaseS: 60, ...options }));
}

async function vacuumPolling({ databaseUrl }: TestCore): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('vacuum landfall.polling');
  await client.end();
}

async function makeDueAgain(): Promise<void> {
  for (const core of cores) {
    await bySystem(core, `update landfall.polling set lease_until = null where lease_until is not null`, []);
  }
}
