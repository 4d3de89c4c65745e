import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { PublicOperation } from '#shared/contract/operation.ts';
import { publicOperations } from '#shared/contract/operations.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { scopes } from '#shared/domain/caller.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { addressOf, makeThings, pathParameters } from '#test/support/api/one-of-everything.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { type WatchedState, watchState } from '#test/support/stores/stored-state.ts';

type Bad = {
  name: string;
  path: string;
  init: RequestInit & { headers?: Record<string, string> };
  statuses?: readonly number[];
};

let api: TestApi;
let state: WatchedState;
let liveKey: string;
let testKey: string;
/** IDs by path parameter: the account's own, and another account's. */
let own: ReadonlyMap<string, string>;
let foreign: ReadonlyMap<string, string>;

beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
  state = await watchState(api.databaseUrl, {
    schemas: ['landfall'],
    exceptTables: ['account_feeds'],
    without: ['last_used_at', 'position', 'lease_until'],
  });
  liveKey = (await api.createKey({ scopes })).secret;
  testKey = (await api.createKey({ scopes, test: true })).secret;
  const { accountId: stranger } = await withSystem(api.ctx.core.store, (tx) =>
    ensureAccount(tx, `a stranger ${randomUUID()}`),
  );
  const strangerKey = await createApiKey(api.ctx.core, stranger, { name: 'stranger', test: false, scopes });
  own = await makeThings(api, { live: liveKey, test: testKey });
  foreign = await makeThings(api, { live: strangerKey.secret, test: null });
});
afterAll(async () => {
  await state.close();
  await api.close();
});

describe.each(publicOperations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s',
  (_name, operation) => {
    it('answers bad input with a documented 4xx and stores nothing', async () => {
      const before = await state.read();
      const wrong: string[] = [];
      for (const { name, path, init, statuses } of badRequests(operation)) {
        const authorization = `Bearer ${operation.testKeysOnly === true ? testKey : liveKey}`;
        const answer = await api
          .request(path, { ...init, headers: { authorization, ...init.headers } })
          .catch((error: Error) => error);
        if (answer instanceof Error) wrong.push(`${name}: ${answer.message} ${answer.cause ?? ''}`);
        else if (
          statuses === undefined ? answer.status < 400 || answer.status > 499 : !statuses.includes(answer.status)
        ) {
          wrong.push(`${name}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(await state.read()).toEqual(before);
    });

    it('answers another account’s IDs like missing ones', async () => {
      const names = pathParameters(operation).filter((name) => name !== 'carrier_code');
      if (names.length === 0) return;
      const answers = [];
      for (const ids of [foreign, new Map(names.map((name) => [name, missingId(name)]))]) {
        const authorization = `Bearer ${operation.testKeysOnly === true ? testKey : liveKey}`;
        const body =
          operation.body?.examples === undefined
            ? undefined
            : JSON.stringify(Object.values(operation.body.examples)[0]?.value);
        const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
        const answer = await api.request(addressOf(operation, ids), {
          method: operation.method,
          headers,
          ...(body === undefined ? {} : { body }),
        });
        const { code, detail } = await jsonOf(answer);
        answers.push([answer.status, code, detail]);
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.[0]).toBe(404);
    });
  },
);

it('accepts a cursor only with its own filter', async () => {
  const headers = { authorization: `Bearer ${liveKey}` };
  const { page } = await jsonOf(await api.request('/v1/shipments?limit=1&carrier=MAEU', { headers }));
  expect(page.next_cursor).toEqual(expect.any(String));
  expect((await api.request(`/v1/shipments?limit=1&carrier=MAEU&cursor=${page.next_cursor}`, { headers })).status).toBe(
    200,
  );
  for (const query of ['carrier=HLCU', 'carrier=MAEU&sort=eta', '']) {
    const answer = await api.request(`/v1/shipments?limit=1&${query}&cursor=${page.next_cursor}`, { headers });
    expect([query, answer.status, (await jsonOf(answer)).code]).toEqual([query, 400, 'invalid_cursor']);
  }
});

function badRequests(operation: PublicOperation): Bad[] {
  return [...badAddresses(operation), ...badHeaders(operation), ...badBodies(operation)];
}

function badAddresses(operation: PublicOperation): Bad[] {
  const address = addressOf(operation, own);
  const { method } = operation;
  const query = (name: string, text: string, statuses?: readonly number[]): Bad => ({
    name,
    path: `${address}?${text}`,
    init: { method },
    ...(statuses === undefined ? {} : { statuses }),
  });
  const bad: Bad[] = [
    query('9 KiB', `q=${'a'.repeat(9216)}`, [414]),
    ...(operation.id === 'mcp'
      ? []
      : [query('an unknown parameter', 'zzz=1', [400]), query('__proto__', '__proto__=1', [400])]),
  ];
  for (const [name, schema] of Object.entries(operation.query?.shape ?? {}) as [string, z.ZodType][]) {
    bad.push(
      query(`${name} with NUL`, `${name}=%00`),
      query(`${name} of 7,000 characters`, `${name}=${'a'.repeat(7000)}`),
    );
    bad.push(
      // A parameter that is an object is sent like that.
      ...(name === 'metadata' ? [] : [query(`${name} as an object`, `${name}[a]=1`, [400])]),
      query(`${name} with bad UTF-8`, `${name}=%ff%fe%00`),
    );
    if (takesNumber(schema))
      for (const text of ['abc', '1e999', '-1', '9'.repeat(30)])
        bad.push(query(`${name}=${text}`, `${name}=${text}`, [400]));
    if (name === 'cursor') bad.push(query('an invalid cursor', 'cursor=eyJhIjoxfQ', [400]));
  }
  for (const name of pathParameters(operation)) {
    for (const text of [
      '%00',
      '%ff%fe',
      '%zz',
      'a'.repeat(5000),
      '__proto__',
      '..%2f..%2fetc',
      '%F0%9F%9A%A2',
      '0',
      "'%3b--",
      'shp_',
      'null',
    ]) {
      bad.push({
        name: `${name} = ${text.slice(0, 20)}`,
        path: addressOf(operation, new Map([...own, [name, text], [`test_${name}`, text]])),
        init: { method },
      });
    }
  }
  return bad;
}

function badHeaders(operation: PublicOperation): Bad[] {
  const path = addressOf(operation, own);
  const { method } = operation;
  const body = method === 'GET' ? {} : { body: '{}' };
  const bad: Bad[] = [
    {
      name: 'a compressed body',
      path,
      init: { method, ...body, headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
      statuses: [415],
    },
  ];
  if (operation.id !== 'mcp')
    bad.push({
      name: 'an Accept for sound',
      path,
      init: { method, headers: { accept: 'audio/mpeg' } },
      statuses: [406],
    });
  if (operation.idempotent === true) {
    const headers = {
      'content-type': operation.body?.mediaTypes?.[0] ?? 'application/json',
      'idempotency-key': 'a'.repeat(256),
    };
    bad.push({ name: 'a long Idempotency-Key', path, init: { method, body: '{}', headers }, statuses: [400] });
  }
  return bad;
}

function badBodies(operation: PublicOperation): Bad[] {
  if (operation.method === 'GET') return [];
  const path = addressOf(operation, own);
  const send = (
    name: string,
    body: string | Uint8Array<ArrayBuffer>,
    statuses?: readonly number[],
    type = 'application/json',
  ): Bad => ({
    name,
    path,
    init: { method: operation.method, body, headers: { 'content-type': type } },
    ...(statuses === undefined ? {} : { statuses }),
  });
  const most = operation.body?.maxBytes === undefined ? 65_536 : operation.body.maxBytes;
  const takesJson = operation.body?.mediaTypes?.includes('application/json') ?? true;
  const bad = [
    send('an unknown media type', 'a=b', [415], 'application/x-www-form-urlencoded'),
    send('a broken media type', '{}', [415], 'x'),
  ];
  if (!takesJson) return bad;
  bad.push(
    send('an incomplete object', '{"a":', [400]),
    send('bad UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), [400]),
    send('a NUL byte', '{"a":"\u0000"}', [400]),
    send('__proto__', '{"__proto__":{"a":1}}', [400]),
  );
  if (most !== null) bad.push(send('one byte too many', `"${'a'.repeat(most - 1)}"`, [413]));
  if (operation.method === 'DELETE') return bad;
  const rpc = operation.id === 'mcp';
  bad.push(
    send('constructor', '{"constructor":{"prototype":{"a":1}}}'),
    send('deep JSON', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, [400]),
    send('deep objects', `${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`),
  );
  for (const body of ['[]', '"x"', '7', 'true']) bad.push(send(body, body, [400]));
  // For an optional body, null counts as no body.
  if (operation.body?.required !== false && operation.body !== undefined) bad.push(send('null', 'null', [400]));
  if (rpc) return bad;
  bad.push(send('an unknown field', JSON.stringify({ ...exampleBody(operation), zzz: 1 }), [400]));
  for (const [name, value] of Object.entries(exampleBody(operation))) {
    const changed = (part: unknown) => JSON.stringify({ ...exampleBody(operation), [name]: part });
    for (const part of [{ a: { b: [[]] } }, Array.from({ length: 10_000 }, () => 'a'), 'a'.repeat(60_000)])
      bad.push(send(`${name} as ${typeof part}`, changed(part)));
    if (typeof value === 'string')
      bad.push(send(`${name} as a number`, changed(7)), send(`${name} with NUL`, changed(`a\u0000${value}`)));
    if (typeof value !== 'string') bad.push(send(`${name} as text`, changed('x')));
  }
  return bad;
}

function exampleBody(operation: PublicOperation): Record<string, unknown> {
  const example = Object.values(operation.body?.examples ?? {})[0]?.value;
  return typeof example === 'object' && example !== null ? { ...example } : {};
}

function takesNumber(schema: z.ZodType): boolean {
  const inner = schema.def as { type: string; innerType?: z.ZodType };
  return inner.type === 'number' || (inner.innerType !== undefined && takesNumber(inner.innerType));
}

/** A well-formed ID that doesn't exist. */
function missingId(name: string): string {
  return `${(foreign.get(name) ?? '').split('_', 1)[0]}_01kahf3m2xfr5tq4d8z9w6c7yb`;
}
