import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWriteFault } from '#shared/store/is-read-only.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

describe('a database that is read-only after a failover', () => {
  let api: TestApi;
  let owner: pg.Client;
  let number = 700_000_000;

  beforeAll(async () => {
    api = await startTestApi({ REDIS_URL: '' }, { openDatabase: ownDatabase });
    owner = new pg.Client({ connectionString: api.databaseUrl });
    await owner.connect();
  });
  afterAll(async () => {
    await owner?.end();
    await api?.close();
  });

  async function register() {
    number += 1;
    const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: `MAEU${number}` } };
    const answer = await api.post('/v1/shipments', body);
    const retryAfter = answer.headers.get('retry-after');
    return {
      status: answer.status,
      retryAfter,
      body: (await answer.json()) as { code?: string; shipment_id?: string },
    };
  }

  async function ready() {
    const answer = await api.request('/readyz');
    return { status: answer.status, body: (await answer.json()) as { detail?: string } };
  }

  /** Sessions take the setting when they connect, as they take the role of the server that they reach. */
  async function setReadOnly(): Promise<void> {
    const { database } = owner;
    await owner.query(`alter database ${database} set default_transaction_read_only = on`);
    await owner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [database],
    );
  }

  it('refuses writes with Retry-After and is not ready, still reads, and writes again without a restart', async () => {
    const before = await register();
    expect(before.status).toBe(201);
    expect((await ready()).status).toBe(200);
    expect(await findWriteFault(api.ctx.core.store.app)).toBeNull();

    await setReadOnly();
    // The first requests may meet connections that were just cut.
    await until(ready, ({ body }) => body.detail === 'Not ready: database read-only.');
    const refused = await Promise.all(Array.from({ length: 20 }, register));
    expect(new Set(refused.map(({ status, retryAfter, body }) => `${status} ${retryAfter} ${body.code}`))).toEqual(
      new Set(['503 2 unavailable']),
    );
    expect((await api.request(`/v1/shipments/${before.body.shipment_id}`)).status).toBe(200);
    expect((await ready()).status).toBe(503);
    expect(await findWriteFault(api.ctx.core.store.app)).toBe('read-only');

    // No connection is cut here: each one that is still read-only is closed by the first request that meets it.
    await owner.query('begin read write');
    await owner.query(`alter database ${owner.database} reset default_transaction_read_only`);
    await owner.query('commit');
    await until(ready, ({ status }) => status === 200);
    await until(
      () => Promise.all(Array.from({ length: 20 }, register)),
      (all) => all.every(({ status }) => status === 201),
    );
  });
});
