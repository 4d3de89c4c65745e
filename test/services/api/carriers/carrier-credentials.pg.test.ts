import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { announceCredentials } from '#shared/core/carriers/announce-credentials.ts';
import { findAccountCredential } from '#shared/core/carriers/find-account-credential.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { scopes } from '#shared/domain/caller.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
let database: pg.Client;

beforeAll(async () => {
  api = await startTestApi({ REDIS_URL: '' });
  database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await api.close();
});

type Client = {
  accountId: string;
  send: (method: string, path: string, body?: unknown) => Promise<{ status: number; text: string; body: Json }>;
};

/** A live key with every scope, in an account of its own. */
async function newClient(options: { test?: boolean } = {}): Promise<Client> {
  const { accountId } = await withSystem(api.ctx.core.store, (tx) => ensureAccount(tx, crypto.randomUUID()));
  const { secret } = await createApiKey(api.ctx.core, accountId, {
    name: 'manager',
    test: options.test ?? false,
    scopes,
  });
  return {
    accountId,
    send: async (method, path, body) => {
      const answer = await api.request(path, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, text, body: text === '' ? null : JSON.parse(text) };
    },
  };
}

const credentialsAt = '/v1/carriers/MAEU/credentials';
const pair = (text: string = crypto.randomUUID()) => ({ client_id: `id-${text}`, client_secret: `secret-${text}` });

async function auditOf(accountId: string): Promise<Json[]> {
  const { rows } = await database.query(
    `select action, actor, detail from landfall.audit where account_id = $1 and subject_type = 'carrier_credentials' order by id`,
    [accountId],
  );
  return rows;
}

describe('setting credentials', () => {
  it('stores the values, returns only the field names, and counts versions', async () => {
    const client = await newClient();
    const values = pair();
    const first = await client.send('PUT', credentialsAt, values);
    expect(first).toMatchObject({
      status: 200,
      body: {
        object: 'carrier_credentials',
        carrier: 'MAEU',
        state: 'active',
        fields: ['client_id', 'client_secret'],
        version: 1,
      },
    });
    expect(await findAccountCredential(api.ctx.core, client.accountId, 'MAEU')).toMatchObject({
      values,
      version: 1,
      suspension: null,
    });
    // Uses another name of the carrier, and replaces everything.
    const second = await client.send('PUT', '/v1/carriers/maersk%20line/credentials', {
      ...pair('two'),
      api_key: 'the-key',
    });
    expect(second.body).toMatchObject({
      carrier: 'MAEU',
      fields: ['client_id', 'client_secret', 'api_key'],
      version: 2,
    });
    await client.send('PUT', credentialsAt, values);
    expect(await findAccountCredential(api.ctx.core, client.accountId, 'MAEU')).toMatchObject({ values, version: 3 });
  });

  it('removes the credentials and keeps counting versions', async () => {
    const client = await newClient();
    await client.send('PUT', credentialsAt, pair());
    expect(await client.send('DELETE', credentialsAt)).toMatchObject({ status: 204 });
    expect(await client.send('DELETE', credentialsAt)).toMatchObject({ status: 204 });
    expect(await findAccountCredential(api.ctx.core, client.accountId, 'MAEU')).toBeNull();
    const { rows } = await database.query(
      'select sealed, key_version from landfall.carrier_credentials where account_id = $1',
      [client.accountId],
    );
    expect(rows).toEqual([{ sealed: null, key_version: null }]);
    expect((await client.send('PUT', credentialsAt, pair())).body.version).toBe(3);
    expect((await auditOf(client.accountId)).map(({ action }) => action)).toEqual([
      'carrier_credentials.set',
      'carrier_credentials.removed',
      'carrier_credentials.set',
    ]);
  });

  it('accepts concurrent requests one after another', async () => {
    const client = await newClient();
    const sent = Array.from({ length: 8 }, () => pair());
    const answers = await Promise.all(sent.map((values) => client.send('PUT', credentialsAt, values)));
    expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 200));
    expect(answers.map(({ body }) => body.version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const last = answers.findIndex(({ body }) => body.version === 8);
    expect(await findAccountCredential(api.ctx.core, client.accountId, 'MAEU')).toMatchObject({
      values: sent[last],
      version: 8,
    });
  });

  it.each<[string, Json, string, string[]]>([
    ['nothing', {}, 'validation_failed', ['/client_id', '/client_secret']],
    ['an incomplete pair', { client_id: 'x' }, 'validation_failed', ['/client_secret']],
    ['an unsupported field', { ...pair(), scope: 'hidden-scope' }, 'validation_failed', ['/scope']],
    ['an address', { ...pair(), base_url: 'http://169.254.169.254' }, 'unknown_field', ['/base_url']],
    ['a line break', { ...pair(), client_id: 'hidden\r\nX-Evil: 1' }, 'validation_failed', ['/client_id']],
    ['a number', { ...pair(), client_secret: 4711 }, 'validation_failed', ['/client_secret']],
    ['an invalid certificate', { ...pair(), certificate: 'hidden' }, 'validation_failed', ['/certificate']],
    [
      'a key with a passphrase',
      { private_key: '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----' },
      'validation_failed',
      ['/private_key'],
    ],
  ])('rejects %s and names the fields without their values', async (_, body, code, pointers) => {
    const client = await newClient();
    const answer = await client.send('PUT', credentialsAt, body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe(code);
    expect(answer.body.errors.map(({ pointer }: Json) => pointer)).toEqual(pointers);
    expect(answer.text).not.toMatch(/hidden|4711|169\.254|secret-|MIIB/);
    expect(await findAccountCredential(api.ctx.core, client.accountId, 'MAEU')).toBeNull();
  });

  it('rejects test keys, keys without the scope, unknown carriers and carriers that cannot be tracked', async () => {
    const test = await newClient({ test: true });
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? pair() : undefined;
      expect(await test.send(method, credentialsAt, body)).toMatchObject({
        status: 403,
        body: { code: 'test_key_not_allowed' },
      });
    }
    expect((await api.request(credentialsAt, { method: 'DELETE' })).status).toBe(403);
    const client = await newClient();
    expect(await client.send('PUT', '/v1/carriers/MAEX/credentials', pair())).toMatchObject({
      status: 404,
      body: { code: 'carrier_not_found' },
    });
    expect(await client.send('DELETE', '/v1/carriers/MAEX/credentials')).toMatchObject({ status: 404 });
    expect(await client.send('PUT', '/v1/carriers/BNSF/credentials', pair())).toMatchObject({
      status: 422,
      body: { code: 'carrier_not_supported' },
    });
  });

  it('names the missing variable if the installation has no credential keys', async () => {
    const other = await startTestApi({ REDIS_URL: '', CREDENTIAL_KEYS: '' }, { openDatabase: ownDatabase });
    try {
      const { secret } = await other.createKey({ scopes });
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      const answer = await other.request(credentialsAt, { method: 'PUT', headers, body: JSON.stringify(pair()) });
      expect(answer.status).toBe(409);
      expect(await jsonOf(answer)).toMatchObject({
        code: 'invalid_state',
        detail: expect.stringContaining('CREDENTIAL_KEYS'),
      });
      expect(
        (await other.request(credentialsAt, { method: 'DELETE', headers: { authorization: `Bearer ${secret}` } }))
          .status,
      ).toBe(204);
    } finally {
      await other.close();
    }
  });
});

it('stores values only sealed and keeps them out of the database, answers, audit log and logs', async () => {
  const client = await newClient();
  const values = { client_id: 'needle-of-the-id', client_secret: 'needle-of-the-secret', api_key: 'needle-of-the-key' };
  const answers = [
    await client.send('PUT', credentialsAt, values),
    await client.send('PUT', credentialsAt, { ...values, scope: 'needle-of-the-scope' }),
    await client.send('PUT', credentialsAt, { ...values, client_id: 'needle\u0000' }),
    await client.send('PUT', credentialsAt, `{"client_id": "needle-in-broken-json`),
    await client.send('PUT', '/v1/carriers/nobody/credentials', values),
    await client.send('GET', '/v1/carriers/MAEU'),
    await client.send('GET', '/v1/carriers'),
    await client.send('DELETE', credentialsAt),
    await client.send('PUT', credentialsAt, values),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400, 404, 200, 200, 204, 200]);
  expect(answers.map(({ text }) => text).join()).not.toContain('needle');
  expect(api.logLines.length).toBeGreaterThan(0);
  expect(api.logLines.join()).not.toContain('needle');
  const { rows: tables } = await database.query(
    `select tablename as name from pg_tables where schemaname = 'landfall'`,
  );
  expect(tables.length).toBeGreaterThan(10);
  for (const { name } of tables) {
    const { rows } = await database.query(`select t::text as row from landfall.${name} as t`);
    const text = rows.map(({ row }) => row).join();
    for (const form of [
      'needle',
      Buffer.from('needle').toString('hex'),
      Buffer.from('needle').toString('base64').slice(0, 7),
    ]) {
      expect(text.includes(form), `${form} in ${name}`).toBe(false);
    }
  }
  expect(await auditOf(client.accountId)).toContainEqual({
    action: 'carrier_credentials.set',
    actor: expect.stringMatching(/^key_/),
    detail: { carrier: 'MAEU', fields: ['client_id', 'client_secret', 'api_key'] },
  });
});

describe('the credentials field of a carrier', () => {
  const reportFor = async (client: Client, carrier = 'MAEU') =>
    (await client.send('GET', `/v1/carriers/${carrier}`)).body.credentials;
  const none = { source: 'none', state: null, fields: [], updated_at: null, suspended_at: null, reason: null };

  it('prefers own credentials to the instance’s, those to the simulator’s, and those to none', async () => {
    const [client, other, tester] = [await newClient(), await newClient(), await newClient({ test: true })];
    expect(await reportFor(client)).toEqual(none);
    await announceCredentials(
      api.ctx.core,
      [
        {
          connector: 'maersk',
          simulated: false,
          fingerprint: 'a',
          accounts: [client.accountId],
          fields: ['client_id', 'client_secret'],
        },
        { connector: 'hapag-lloyd', simulated: true, fingerprint: 'b', accounts: [], fields: [] },
      ],
      [],
    );
    expect(await reportFor(client)).toMatchObject({
      source: 'instance',
      state: 'active',
      fields: ['client_id', 'client_secret'],
    });
    // Only the named account uses these credentials; no other account sees them.
    expect(await reportFor(other)).toEqual(none);
    expect(await reportFor(other, 'HLCU')).toMatchObject({ source: 'simulator', state: 'active', fields: [] });
    expect(await reportFor(tester)).toEqual(none);
    await client.send('PUT', credentialsAt, { ...pair(), api_key: 'k' });
    expect(await reportFor(client)).toMatchObject({
      source: 'account',
      fields: ['client_id', 'client_secret', 'api_key'],
    });
    const { body } = await client.send('GET', '/v1/carriers?q=MAEU');
    expect(body.data[0].credentials.source).toBe('account');
    await client.send('DELETE', credentialsAt);
    expect(await reportFor(client)).toMatchObject({ source: 'instance' });
  });

  it('reports the suspension and its reason until the credentials are replaced', async () => {
    const client = await newClient();
    await client.send('PUT', credentialsAt, pair());
    await database.query(
      `update landfall.carrier_credentials set suspended_at = now(), suspended_reason = 'carrier_auth_failed', probe_at = now() where account_id = $1`,
      [client.accountId],
    );
    expect(await reportFor(client)).toMatchObject({
      source: 'account',
      state: 'suspended',
      suspended_at: expect.any(String),
      reason: 'carrier_auth_failed',
    });
    expect((await client.send('PUT', credentialsAt, pair())).body.state).toBe('active');
    expect(await reportFor(client)).toMatchObject({ state: 'active', suspended_at: null, reason: null });
  });
});

describe('changed credentials', () => {
  async function waiting(
    client: Client,
    changes: { carrier?: string; reason?: string; state?: string } = {},
  ): Promise<string> {
    const { body } = await client.send('POST', '/v1/shipments', {
      transport_mode: 'ocean',
      carrier: changes.carrier ?? 'MAEU',
      identifiers: { mbl: uniqueNumber() },
    });
    const id = decodeTypeId('shp', body.shipment_id) ?? '';
    // A first refresh that the queue did not take in time gives its lease back, and a locked row is skipped.
    await api.ctx.core.registrations.settled();
    await database.query(
      `update landfall.polling set state = $2, reason = $3, lease_until = null, last_refreshed_at = now(),
        next_refresh_at = case when $2 = 'stopped' then null else now() + interval '4 hours' end where shipment_id = $1`,
      [id, changes.state ?? 'awaiting_carrier', changes.reason ?? 'credentials_missing'],
    );
    return id;
  }

  async function dueOf(ids: string[]): Promise<(boolean | null)[]> {
    const { rows } = await database.query(
      'select shipment_id, next_refresh_at <= now() as due from landfall.polling where shipment_id = any ($1)',
      [ids],
    );
    return ids.map((id) => rows.find((row) => row.shipment_id === id)?.due);
  }

  it('refresh only the newest tracked shipment, as a trial, within seconds if none waits', async () => {
    const [client, other] = [await newClient(), await newClient()];
    const reason = 'carrier_not_found_yet';
    const ids = [
      await waiting(client, { reason }),
      await waiting(client, { reason }),
      await waiting(client, { reason, state: 'stopped' }),
      await waiting(client, { reason, carrier: 'HLCU' }),
      await waiting(other, { reason }),
    ];
    await client.send('PUT', credentialsAt, pair());
    const { rows } = await database.query(
      `select shipment_id from landfall.polling where shipment_id = any ($1) and next_refresh_at < now() + interval '10 minutes'`,
      [ids],
    );
    expect(rows).toEqual([{ shipment_id: ids[1] }]);
  });

  it.each(['PUT', 'DELETE'])('make waiting shipments due at once after %s, and no others', async (method) => {
    const [client, other] = [await newClient(), await newClient()];
    if (method === 'DELETE') await client.send('PUT', credentialsAt, pair());
    const ids = [
      await waiting(client),
      await waiting(client, { reason: 'carrier_auth_failed', state: 'degraded' }),
      await waiting(client, { reason: 'carrier_not_found_yet' }),
      await waiting(client, { state: 'stopped' }),
      await waiting(client, { carrier: 'HLCU' }),
      await waiting(other),
    ];
    await client.send(method, credentialsAt, method === 'PUT' ? pair() : undefined);
    expect(await dueOf(ids)).toEqual([true, true, false, null, false, false]);
  });
});
