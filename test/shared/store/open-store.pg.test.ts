import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#infra/migrate.ts';
import { openStore } from '#shared/store/open-store.ts';
import { withAccount, withAccountReads, withAuth } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

test('changes nothing when several processes migrate again', async () => {
  expect(await Promise.all([migrate(core.databaseUrl), migrate(core.databaseUrl)])).toEqual([
    { applied: 0 },
    { applied: 0 },
  ]);
});

test('reports a connection that breaks inside a transaction as unavailable, and recovers', async () => {
  const { accountId } = await core.newCaller();
  const admin = new pg.Client({ connectionString: core.databaseUrl });
  await admin.connect();
  const cut = withAccount(core.store, accountId, async (tx) => {
    const { rows } = await tx.query('select pg_backend_pid() as pid');
    await admin.query('select pg_terminate_backend($1, 5000)', [rows[0].pid]);
    await tx.query('select 1');
  });
  await expect(cut).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 2 });
  await admin.end();
  const { rows } = await withAccount(core.store, accountId, (tx) => tx.query('select 1 as one'));
  expect(rows).toEqual([{ one: 1 }]);
  expect(core.store.stats().app.waiting).toBe(0);
});

test('fails to open when the database does not respond', async () => {
  const settings = { apiPoolSize: 1, systemPoolSize: 1, applicationName: 'landfall-test', onPoolError: () => {} };
  await expect(openStore({ ...settings, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })).rejects.toThrow(
    /ECONNREFUSED/,
  );
});

test('asks to run the migrations when the schema is missing', async () => {
  const server = new URL(core.serviceUrl);
  server.pathname = '/postgres';
  const settings = { apiPoolSize: 1, systemPoolSize: 1, applicationName: 'landfall-test', onPoolError: () => {} };
  await expect(openStore({ ...settings, databaseUrl: server.href })).rejects.toThrow(/run the migrations/);
});

test('opens no connection for authentication in a process that has none', async () => {
  const settings = { apiPoolSize: 1, systemPoolSize: 1, applicationName: 'landfall-test', onPoolError: () => {} };
  const store = await openStore({ ...settings, databaseUrl: core.serviceUrl, authPoolSize: 0 });
  await expect(withAuth(store, async () => undefined)).rejects.toThrow(/pool after calling end/);
  expect(store.auth.totalCount).toBe(0);
  await store.close();
});

test('gives lists and searches one process of the database for each connection', async () => {
  const { accountId } = await core.newCaller();
  const settings = { apiPoolSize: 1, readPoolSize: 2, systemPoolSize: 1, applicationName: 'landfall-test' };
  const store = await openStore({ ...settings, databaseUrl: core.serviceUrl, onPoolError: () => {} });
  const workers = await withAccountReads(store, accountId, async (tx) => {
    // Uses a worker wherever one is allowed, however small the table is.
    await tx.query(`set local debug_parallel_query = on`);
    const { rows } = await tx.query(
      `explain (costs off) select count(*) from landfall.shipments where carrier = 'MAEU'`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(workers).toContain('Scan');
  expect(workers).not.toContain('Gather');
  await store.close();
});
