import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toApiKeyId } from '#shared/contract/keys/api-key-wire.ts';
import type { PublicOperation } from '#shared/contract/operation.ts';
import { publicOperations } from '#shared/contract/operations.ts';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { revokeApiKey } from '#shared/core/keys/revoke-api-key.ts';
import { type Scope, scopes } from '#shared/domain/caller.ts';
import type { ProofKind } from '#shared/domain/events/event.ts';
import { apiKeyBody, formatApiKey } from '#shared/domain/keys/api-key.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { textOf } from '#test/support/api/event-stream.ts';
import { plantProof } from '#test/support/carriers/plant-proof.ts';
import { plantDelivery } from '#test/support/webhooks/plant-delivery.ts';

/** Operations open to every key, because they describe only the key itself. */
const anyKeyMayCall = ['getMe'];

/** Path parameters for resources that all accounts share. */
const sharedParameters = ['carrier_code'];

/**
 * Path parameters for resources of one account. Add each new kind of ID here, with a way to create one for the victim.
 */
type OwnedKind = { unknown: string; notFound: string; live: string | null; test: string | null };

type Answer = { status: number; code: string | null; text: string; detail: string };

let api: TestApi;
let database: pg.Client;
let foreignAccount: string;
const owned: Record<string, OwnedKind> = {};
const unknownUuid = '01890a5d-ac96-774b-bcce-b302099a8057';

beforeAll(async () => {
  api = await startTestApi();
  database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
  ({ accountId: foreignAccount } = await withSystem(api.ctx.core.store, (tx) =>
    ensureAccount(tx, `another account ${randomUUID()}`),
  ));
  const live = await api.createKey({ scopes });
  const test = await api.createKey({ scopes, test: true });
  owned.shipment_id = {
    unknown: encodeTypeId('shp', unknownUuid),
    notFound: 'shipment_not_found',
    live: await registerShipment(live.secret, 'MAEU900000001'),
    test: await registerShipment(test.secret, 'TEST-JOURNEY'),
  };
  const proofOf = (id: string | null, kind: ProofKind) =>
    plantProof(api.ctx.core, { accountId: api.accountId, shipmentId: readShipmentId(id ?? '') ?? '' }, kind);
  owned.proof_id = {
    unknown: 'video',
    notFound: 'proof_not_found',
    live: await proofOf(owned.shipment_id.live, 'document'),
    test: await proofOf(owned.shipment_id.test, 'photo'),
  };
  owned.event_id = {
    unknown: encodeTypeId('evt', unknownUuid),
    notFound: 'event_not_found',
    live: await pushEvent(live.secret, owned.shipment_id.live),
    test: await pushEvent(test.secret, owned.shipment_id.test),
  };
  owned.api_key_id = {
    unknown: encodeTypeId('key', unknownUuid),
    notFound: 'api_key_not_found',
    live: toApiKeyId(live.id),
    // A live key may see and revoke the test keys of its account.
    test: null,
  };
  owned.import_id = {
    unknown: encodeTypeId('imp', unknownUuid),
    notFound: 'import_not_found',
    live: await startImport(live.secret),
    test: await startImport(test.secret),
  };
  const [ofLive, ofTest] = [await createEndpoint(live.secret), await createEndpoint(test.secret)];
  owned.webhook_endpoint_id = {
    unknown: encodeTypeId('whe', unknownUuid),
    notFound: 'webhook_endpoint_not_found',
    live: ofLive,
    test: ofTest,
  };
  owned.share_id = {
    unknown: encodeTypeId('shr', unknownUuid),
    notFound: 'share_not_found',
    live: await createShare(live.secret, String(owned.shipment_id?.live)),
    test: await createShare(test.secret, String(owned.shipment_id?.test)),
  };
  owned.delivery_id = {
    unknown: encodeTypeId('dlv', unknownUuid),
    notFound: 'webhook_delivery_not_found',
    live: await plantDelivery(api.ctx.core.store, ofLive, { sequence: 1 }),
    test: await plantDelivery(api.ctx.core.store, ofTest, { sequence: 1 }),
  };
  owned.replay_id = {
    unknown: encodeTypeId('rpl', unknownUuid),
    notFound: 'webhook_replay_not_found',
    live: await replay(live.secret, ofLive),
    test: await replay(test.secret, ofTest),
  };
  owned.note_id = {
    unknown: encodeTypeId('note', unknownUuid),
    notFound: 'note_not_found',
    live: await writeNote(live.secret, String(owned.shipment_id?.live)),
    test: await writeNote(test.secret, String(owned.shipment_id?.test)),
  };
  owned.bulk_action_id = {
    unknown: encodeTypeId('blk', unknownUuid),
    notFound: 'bulk_action_not_found',
    live: await startBulkAction(live.secret),
    test: await startBulkAction(test.secret),
  };
});

afterAll(async () => {
  await database.end();
  await api.close();
});

async function writeNote(key: string, shipmentId: string): Promise<string> {
  const path = `/v1/shipments/${shipmentId}/notes`;
  return (await jsonOf(await api.post(path, { text: 'ours' }, { authorization: `Bearer ${key}` }))).note_id;
}

async function startBulkAction(key: string): Promise<string> {
  const body = { action: 'stop', filter: { reference: ['nothing has this reference'] } };
  const answer = await api.post('/v1/bulk-actions', body, { authorization: `Bearer ${key}` });
  return (await jsonOf(answer)).bulk_action_id;
}

async function registerShipment(key: string, mbl: string): Promise<string> {
  const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } };
  const answer = await fetch(`${api.url}/v1/shipments`, {
    method: 'POST',
    headers: headersOf(key, body),
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as Json).shipment_id;
}

async function pushEvent(key: string, shipmentId: string | null): Promise<string> {
  const time = { at: new Date().toISOString() };
  const body = { events: [{ source_name: 'yard', code: 'notice', available: true, time }] };
  const answer = await fetch(`${api.url}/v1/shipments/${shipmentId}/events`, {
    method: 'POST',
    headers: headersOf(key, body),
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as Json).results[0].shipments[0].event_id;
}

async function createEndpoint(key: string): Promise<string> {
  const body = { url: 'http://127.0.0.1:9/hooks' };
  const answer = await fetch(`${api.url}/v1/webhook-endpoints`, {
    method: 'POST',
    headers: headersOf(key, body),
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as Json).webhook_endpoint_id;
}

async function createShare(key: string, shipmentId: string): Promise<string> {
  const answer = await fetch(`${api.url}/v1/shipments/${shipmentId}/shares`, {
    method: 'POST',
    headers: headersOf(key, {}),
    body: '{}',
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as Json).share_id;
}

/** Of nothing, so that it is done at once. */
async function replay(key: string, endpointId: string): Promise<string> {
  const body = { to: 0 };
  const answer = await fetch(`${api.url}/v1/webhook-endpoints/${endpointId}/replay`, {
    method: 'POST',
    headers: headersOf(key, body),
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(202);
  return ((await answer.json()) as Json).replay_id;
}

/** Null if the server accepts no imports. */
async function startImport(key: string): Promise<string | null> {
  if (!publicOperations.some(({ method, path }) => method === 'POST' && path === '/v1/imports')) return null;
  const answer = await fetch(`${api.url}/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU900000002' } })}\n`,
  });
  expect(answer.status).toBeLessThan(300);
  return ((await answer.json()) as Json).import_id;
}

function headersOf(key: string | null, body: unknown): Record<string, string> {
  return {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

function parametersOf(operation: PublicOperation): string[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The path parameters that name resources of one account. */
function ownedParametersOf(operation: PublicOperation): string[] {
  const names = parametersOf(operation).filter((name) => !sharedParameters.includes(name));
  for (const name of names)
    if (owned[name] === undefined)
      throw new Error(`Add {${name}} to this test, with a way to create one for the victim`);
  return names;
}

/** The resource that a path names first, which contains the others. */
function outermostOf(operation: PublicOperation): string[] {
  return ownedParametersOf(operation).slice(0, 1);
}

type IdChoice = 'unknown' | 'live' | 'test';

async function call(operation: PublicOperation, key: string | null, ids: IdChoice = 'unknown'): Promise<Answer> {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => owned[name]?.[ids] ?? owned[name]?.unknown ?? 'MAEU',
  );
  const [example] = Object.values(operation.body?.examples ?? {});
  const body = operation.body === undefined ? undefined : (example?.value ?? {});
  const mediaType = operation.body?.mediaTypes?.[0];
  const answer = await fetch(api.url + path, {
    method: operation.method,
    headers: { ...headersOf(key, body), ...(mediaType === undefined ? {} : { 'content-type': mediaType }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await textOf(answer);
  const problem = answer.headers.get('content-type')?.startsWith('application/problem+json') ? JSON.parse(text) : {};
  return { status: answer.status, code: problem.code ?? null, detail: problem.detail ?? '', text };
}

/** The answer without the parts that differ between any two requests. */
function comparable({ text, ...answer }: Answer): unknown {
  return { ...answer, text: text.replaceAll(/"(request_id|trace_id)":("[^"]*"|null)/g, '') };
}

function named(operations: readonly PublicOperation[]) {
  return operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
}

type KeyOptions = { scopes?: readonly Scope[]; test?: boolean; expiresAt?: string };

async function newKeyOf(account: 'victim' | 'foreign', options: KeyOptions = {}) {
  const accountId = account === 'victim' ? api.accountId : foreignAccount;
  return createApiKey(api.ctx.core, accountId, { name: 'probe', test: false, scopes, ...options });
}

const keys = new Map<string, ReturnType<typeof newKeyOf>>();

/** The same key for the same options: an account can have 200. */
function keyOf(account: 'victim' | 'foreign', options: KeyOptions = {}): ReturnType<typeof newKeyOf> {
  const name = JSON.stringify([account, options.test ?? false, options.scopes ?? null, options.expiresAt ?? null]);
  const key = keys.get(name) ?? newKeyOf(account, options);
  keys.set(name, key);
  return key;
}

/** All rows of the victim, except when its keys were last used. */
async function victimRows(): Promise<Record<string, string>> {
  // A first refresh that the queue did not take in time gives its lease back, which changes a row.
  await api.ctx.core.registrations.settled();
  const { rows: tables } = await database.query<{ table_name: string; owner: string }>(`
    select c.table_name, c.column_name as owner
    from information_schema.columns as c
    where c.table_schema = 'landfall' and (c.column_name = 'account_id' or (c.table_name = 'accounts' and c.column_name = 'id'))`);
  expect(tables.length).toBeGreaterThan(10);
  const sums: Record<string, string> = {};
  for (const { table_name: table, owner } of tables) {
    const { rows } = await database.query<{ row: string }>(
      `select (to_jsonb(t) - 'last_used_at')::text as row from landfall.${table} as t where ${owner} = $1 order by 1`,
      [api.accountId],
    );
    sums[table] = `${rows.length} rows ${createHash('sha256')
      .update(rows.map(({ row }) => row).join('\n'))
      .digest('hex')}`;
  }
  return sums;
}

describe('the contract', () => {
  it('describes every route under /v1, and every operation has a route', () => {
    const served = routesOf(api.app.printRoutes({ commonPrefix: false }))
      .filter(({ path, method }) => /^\/v1(\/|$)/.test(path) && method !== 'HEAD')
      .map(({ method, path }) => `${method} ${path}`);
    const described = publicOperations.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    expect(served.sort()).toEqual(described.sort());
  });

  it('requires a scope for every operation except those that describe the key itself', () => {
    const open = publicOperations.filter(({ scope }) => scope === null).map(({ id }) => id);
    expect(open).toEqual(anyKeyMayCall.filter((id) => publicOperations.some((operation) => operation.id === id)));
  });

  it('requires a key for undescribed routes such as HEAD', async () => {
    const others = routesOf(api.app.printRoutes({ commonPrefix: false })).filter(
      ({ path, method }) => path.startsWith('/v1') && method === 'HEAD',
    );
    expect(others.length).toBeGreaterThan(0);
    const { secret } = await keyOf('victim', { scopes: [] });
    for (const { method, path } of others) {
      expect((await fetch(api.url + path, { method })).status, path).toBe(401);
      const open = publicOperations.find(
        (operation) => operation.method === 'GET' && operation.path.replaceAll(/\{(\w+)\}/g, ':$1') === path,
      );
      const answer = await fetch(api.url + path, { method, headers: { authorization: `Bearer ${secret}` } });
      expect(answer.status, path).toBe(open?.scope === null ? 200 : 403);
    }
  });
});

describe.each(named(publicOperations))('%s', (_, operation) => {
  it('rejects malformed, unknown, revoked and expired keys', async () => {
    const before = await victimRows();
    const unknown = formatApiKey(
      apiKeyBody((count) => crypto.getRandomValues(new Uint8Array(count))),
      operation.testKeysOnly === true,
    );
    expect(await call(operation, null, 'live')).toMatchObject({ status: 401, code: 'missing_api_key' });
    expect(await call(operation, 'svc_live_short', 'live')).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(await call(operation, unknown, 'live')).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(await victimRows()).toEqual(before);

    const test = operation.testKeysOnly === true;
    const [revoked, expired] = [
      await newKeyOf('victim', { test }),
      await keyOf('victim', { test, expiresAt: '2020-01-01T00:00:00.000Z' }),
    ];
    const victim = {
      accountId: api.accountId,
      keyId: null,
      scopes,
      test: false,
      requestId: 'req_test',
      idempotency: null,
    };
    await revokeApiKey(api.ctx.core, victim, revoked.id);
    const withKeys = await victimRows();
    expect(await call(operation, revoked.secret, 'live')).toMatchObject({ status: 401, code: 'revoked_api_key' });
    expect(await call(operation, expired.secret, 'live')).toMatchObject({ status: 401, code: 'expired_api_key' });
    expect(await victimRows()).toEqual(withKeys);
  });

  it('isolates accounts: another account’s resources cannot be read, changed or distinguished from missing ones', async () => {
    const kinds =
      operation.testKeysOnly === true
        ? ([['test', true]] as const)
        : ([
            ['live', false],
            ['test', true],
          ] as const);
    const before = await victimRows();
    for (const [kind, test] of kinds) {
      const { secret } = await keyOf('foreign', { test });
      const answer = await call(operation, secret, kind);
      for (const id of Object.values(owned).flatMap(({ live, test: ofTest }) => [live, ofTest])) {
        if (id !== null) expect(answer.text).not.toContain(id);
      }
      for (const name of outermostOf(operation)) {
        expect(answer, kind).toMatchObject({ status: 404, code: owned[name]?.notFound });
        expect(comparable(answer)).toEqual(comparable(await call(operation, secret, 'unknown')));
      }
    }
    expect(await victimRows()).toEqual(before);
  });

  it('isolates test from live within an account', async () => {
    for (const [kind, test] of [
      ['test', false],
      ['live', true],
    ] as const) {
      if (operation.testKeysOnly === true && !test) continue;
      if (ownedParametersOf(operation).some((name) => owned[name]?.[kind] === null)) continue;
      const { secret } = await keyOf('victim', { test });
      const before = await victimRows();
      for (const name of outermostOf(operation)) {
        const answer = await call(operation, secret, kind);
        expect(answer, kind).toMatchObject({ status: 404, code: owned[name]?.notFound });
        expect(comparable(answer)).toEqual(comparable(await call(operation, secret, 'unknown')));
        expect(await victimRows()).toEqual(before);
      }
      if (operation.method !== 'GET') continue;
      const { text } = await call(operation, secret, kind);
      for (const { [kind]: id } of Object.values(owned)) if (id !== null) expect(text).not.toContain(id);
    }
  });
});

it.each(named(publicOperations.filter(({ scope }) => scope !== null)))(
  '%s rejects a key without its scope, and names the scope',
  async (_, operation) => {
    const test = operation.testKeysOnly === true;
    const lacking = [
      await keyOf('victim', { test, scopes: [] }),
      await keyOf('victim', { test, scopes: scopes.filter((scope) => scope !== operation.scope) }),
    ];
    const before = await victimRows();
    for (const { secret } of lacking) {
      const answer = await call(operation, secret, test ? 'test' : 'live');
      expect(answer).toMatchObject({ status: 403, code: 'insufficient_scope' });
      expect(answer.detail).toContain(operation.scope);
    }
    expect(await victimRows()).toEqual(before);
  },
);

it.each(named(publicOperations.filter(({ testKeysOnly }) => testKeysOnly === true)))(
  '%s rejects a live key',
  async (_, operation) => {
    const { secret } = await keyOf('victim');
    const before = await victimRows();
    expect(await call(operation, secret, 'live')).toMatchObject({ status: 403, code: 'live_key_not_allowed' });
    expect(await victimRows()).toEqual(before);
  },
);

it.each(named(publicOperations.filter(({ liveKeysOnly }) => liveKeysOnly === true)))(
  '%s rejects a test key',
  async (_, operation) => {
    const { secret } = await keyOf('victim', { test: true });
    const before = await victimRows();
    expect(await call(operation, secret, 'test')).toMatchObject({ status: 403, code: 'test_key_not_allowed' });
    expect(await victimRows()).toEqual(before);
  },
);

it.each(named(publicOperations.filter(({ method }) => method === 'GET')))(
  '%s returns to the owner the data that it withholds from others',
  async (_, operation) => {
    for (const [kind, test] of [
      ['live', false],
      ['test', true],
    ] as const) {
      if (ownedParametersOf(operation).some((name) => owned[name]?.[kind] === null)) continue;
      const { secret } = await keyOf('victim', { test });
      expect(await call(operation, secret, kind)).toMatchObject({ status: 200 });
    }
  },
);

it('isolates accounts, and test from live, in MCP tools', async () => {
  const rpc = async (key: string, method: string, params: Json = {}) => {
    const answer = await fetch(`${api.url}/v1/mcp`, {
      method: 'POST',
      headers: headersOf(key, {}),
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await answer.json()) as Json;
  };
  const { live, test, unknown } = owned.shipment_id as OwnedKind;
  const seen = {
    victim: [await keyOf('victim'), live],
    victimTest: [await keyOf('victim', { test: true }), test],
  } as const;
  const { tools } = (await rpc(seen.victim[0].secret, 'tools/list')).result;
  expect(tools.length).toBeGreaterThan(0);
  const before = await victimRows();
  for (const { name, inputSchema } of tools) {
    const takesId = inputSchema.properties.shipment_id !== undefined;
    const use = async (key: string, id: string | null) =>
      JSON.stringify(await rpc(key, 'tools/call', { name, arguments: takesId ? { shipment_id: id } : {} }));
    // The tool finds what the key may see, so it could find the rest.
    for (const [{ secret }, id] of Object.values(seen)) expect(await use(secret, id), name).toContain(id);
    const strangers = [
      [await keyOf('foreign'), live],
      [await keyOf('foreign', { test: true }), test],
      [seen.victim[0], test],
      [seen.victimTest[0], live],
    ] as const;
    for (const [{ secret }, id] of strangers) {
      const answer = await use(secret, id);
      if (!takesId) expect(answer, name).not.toContain(id);
      else expect(answer.replaceAll(String(id), ''), name).toBe((await use(secret, unknown)).replaceAll(unknown, ''));
    }
  }
  expect(await victimRows()).toEqual({ ...before, api_keys: expect.any(String), audit: expect.any(String) });
});

/** Parses the tree that Fastify prints: four characters per level, then the path segment and its methods. */
function routesOf(tree: string): { method: string; path: string }[] {
  const parts: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const match = /^([│ ]*)[├└]── (\S*)(?: \((.+)\))?$/.exec(line);
    if (match === null) return [];
    const [, indent = '', part = '', methods = ''] = match;
    parts.splice(indent.length / 4, parts.length, part);
    const path = parts.join('');
    return methods.split(', ').flatMap((method) => (method === '' ? [] : [{ method, path }]));
  });
}
