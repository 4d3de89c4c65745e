import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operatorOf } from '#infra/installation/open-script-core.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withAccount, withAccountReads, withSystem } from '#shared/store/with-account.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { listTool } from '#test/support/api/mcp-calls.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

let api: TestApi;
let database: pg.Client;
let other: { authorization: string };

beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
  database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
  const { accountId } = await withSystem(api.ctx.core.store, (tx) => ensureAccount(tx, 'other'));
  const limits = { read: 1e7, write: 1e7, batch: 1e7, mcp: 1e7 };
  await setAccountLimits(api.ctx.core, operatorOf(accountId), limits);
  const { secret } = await createApiKey(api.ctx.core, accountId, { name: 'test', test: false });
  other = { authorization: `Bearer ${secret}` };
});
afterAll(async () => {
  await database.end();
  await api.close();
});

/** Forty transactions of the first account, each of which holds its connection until `ask` has settled. */
async function besideSlowTransactions<T>(pool: 'requests' | 'lists', ask: () => Promise<T>): Promise<T> {
  const run = pool === 'requests' ? withAccount : withAccountReads;
  const asked = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const slow = Array.from({ length: 40 }, () =>
    run(api.ctx.core.store, api.accountId, async (tx) => {
      await tx.query('select 1');
      holding.resolve();
      await asked.promise;
    }),
  );
  const settled = Promise.allSettled(slow);
  try {
    await holding.promise;
    return await ask();
  } finally {
    asked.resolve();
    await settled;
  }
}

const asOther = async (path: string, init: RequestInit = {}) => {
  const answer = await api.request(path, { ...init, headers: { ...(init.headers as object), ...other } });
  await answer.text();
  return answer.status;
};

const postAsOther = (path: string, body: object) =>
  asOther(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const ocean = () => ({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } });

it('serves lists, search, counts, exports and tools of an account beside forty slow transactions of another', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: listTool, arguments: {} } };
  const statuses = await besideSlowTransactions('lists', () =>
    Promise.all([
      asOther('/v1/shipments'),
      asOther('/v1/shipments?q=hamburg&sort=eta'),
      asOther('/v1/shipments/counts?q=hamburg'),
      asOther('/v1/shipments/export?format=ndjson'),
      api.post('/v1/mcp', call, other).then(async (answer) => (await jsonOf(answer)).result.isError ?? answer.status),
      postAsOther('/v1/shipments', ocean()),
    ]),
  );
  expect(statuses).toEqual([200, 200, 200, 200, 200, 201]);
});

it('serves registrations, events and the feed of an account beside forty slow transactions of another', async () => {
  const created = await api.post('/v1/shipments', ocean(), other);
  const { shipment_id: id } = (await created.json()) as { shipment_id: string };
  const statuses = await besideSlowTransactions('requests', () =>
    Promise.all([
      postAsOther('/v1/shipments', ocean()),
      asOther(`/v1/shipments/${id}`),
      asOther(`/v1/shipments/${id}/events`),
      asOther('/v1/events'),
      asOther('/v1/shipments'),
    ]),
  );
  expect(statuses).toEqual([201, 200, 200, 200, 200]);
});

it('lists the slow account itself again once its statements have ended', async () => {
  await besideSlowTransactions('lists', async () => undefined);
  expect((await api.request('/v1/shipments')).status).toBe(200);
  expect(api.ctx.core.store.stats().reads.waiting).toBe(0);
});

it('ends a list that no index serves after 1 s, and leaves 5 s to the named ones', async () => {
  /** The status of a named list that waits for as long as another one takes to end. */
  const besideUnnamed = async (): Promise<number> => {
    await database.query('begin; lock table landfall.shipments in access exclusive mode');
    const named = api.request('/v1/shipments?status=arrived');
    // Waits for a connection of its own account until the named list has started.
    const unnamed = await api.request('/v1/shipments?departed_from=2026-01-01&sort=-updated_at', { headers: other });
    expect([unnamed.status, ((await unnamed.json()) as { code: string }).code]).toEqual([503, 'list_too_slow']);
    await database.query('rollback');
    const answer = await named;
    await answer.text();
    return answer.status;
  };
  // A busy machine may need more than 5 s for both, but not every time.
  await until(besideUnnamed, (status) => status === 200);
});
