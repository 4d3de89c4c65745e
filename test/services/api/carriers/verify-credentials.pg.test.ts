import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildSimulator } from '#infra/tools/simulator/server.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { type Scope, scopes } from '#shared/domain/caller.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { simulatorAddresses, startAnsweringWorker } from '#test/support/carriers/answering-worker.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
let database: pg.Client;
let simulator: ReturnType<typeof buildSimulator>;
let worker: Awaited<ReturnType<typeof startAnsweringWorker>>;

beforeAll(async () => {
  api = await startTestApi({ REDIS_URL: '' }, { openDatabase: ownDatabase, answerWaitMs: 15_000 });
  database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
  simulator = buildSimulator({ seed: 'verify', now: Date.now, voyageS: 50, stateFile: null, control: false });
  const origin = await simulator.listen({ host: '127.0.0.1', port: 0 });
  worker = await startAnsweringWorker(api.serviceUrl, simulatorAddresses(origin));
});
afterAll(async () => {
  await worker?.close();
  await simulator?.close();
  await database.end();
  await api.close();
});

async function newClient(options: { test?: boolean; scopes?: Scope[] } = {}) {
  const { accountId } = await withSystem(api.ctx.core.store, (tx) => ensureAccount(tx, crypto.randomUUID()));
  const { secret } = await createApiKey(api.ctx.core, accountId, {
    name: 'verifier',
    test: options.test ?? false,
    scopes: options.scopes ?? scopes,
  });
  const verify = async (carrier: string, body?: unknown): Promise<{ status: number; body: Json }> => {
    const answer = await api.request(`/v1/carriers/${carrier}/credentials/verify`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await jsonOf(answer) };
  };
  return { accountId, verify };
}

it('reports the result, and keeps entered values out of the database, the answer and the audit log', async () => {
  const { accountId, verify } = await newClient();
  const value = `key-${crypto.randomUUID()}`;
  const check = await verify('dhl', { api_key: value });
  expect(check).toEqual({
    status: 200,
    body: {
      object: 'carrier_credential_check',
      carrier: 'dhl',
      credentials: 'entered',
      outcome: 'accepted',
      message: expect.stringMatching(/^DHL accepted the credentials\./),
      http_status: expect.any(Number),
      duration_ms: expect.any(Number),
      retry_after_s: null,
      checked_at: expect.any(String),
    },
  });
  expect(JSON.stringify(check)).not.toContain(value);
  const { rows: audit } = await database.query(
    'select action, detail from landfall.audit where account_id = $1 and subject_type = $2',
    [accountId, 'carrier_credentials'],
  );
  expect(audit).toEqual([
    { action: 'carrier_credentials.verified', detail: { carrier: 'dhl', credentials: 'entered' } },
  ]);
  for (const table of ['worker_questions', 'carrier_credentials']) {
    const { rows } = await database.query(`select 1 from landfall.${table} where account_id = $1`, [accountId]);
    expect([table, rows]).toEqual([table, []]);
  }
});

it('has nothing to verify without stored credentials', async () => {
  const { verify } = await newClient();
  for (const body of [undefined, {}])
    expect(await verify('dhl', body)).toMatchObject({ status: 200, body: { outcome: 'nothing_to_verify' } });
});

it('rejects test keys, keys without the scope, unknown carriers, wrong fields and carriers without a connector', async () => {
  const { verify } = await newClient();
  expect(await verify('nobody-at-all', {})).toMatchObject({ status: 404, body: { code: 'carrier_not_found' } });
  expect(await verify('BNSF', {})).toMatchObject({ status: 422, body: { code: 'carrier_not_supported' } });
  expect(await verify('dhl', { client_id: 'x' })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(await verify('dhl', { url: 'http://x' })).toMatchObject({ status: 400, body: { code: 'unknown_field' } });
  const reader = await newClient({ scopes: ['shipments:read'] });
  expect(await reader.verify('dhl', {})).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  const tester = await newClient({ test: true });
  expect(await tester.verify('dhl', {})).toMatchObject({ status: 403, body: { code: 'test_key_not_allowed' } });
});

it('can be read by no request role before a worker takes it', async () => {
  const client = new pg.Client({ connectionString: api.serviceUrl });
  await client.connect();
  try {
    await client.query('begin; set local role landfall_app');
    await expect(client.query('select sealed from landfall.worker_questions')).rejects.toThrow(/permission denied/);
  } finally {
    await client.end();
  }
});
