import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wireApiKeyList, wireCreatedApiKey } from '#shared/contract/keys/api-key-wire.ts';
import { publicOperations } from '#shared/contract/operations.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { grantableScopes, scopes } from '#shared/domain/caller.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { request } from '#test/support/api/http.ts';
import { lastAskedBefore } from '#test/support/until.ts';

let api: TestApi;
/** A second process of the same installation. */
let other: TestApi;
let manager: string;

beforeAll(async () => {
  api = await startTestApi();
  other = await startTestApi({ DATABASE_URL: api.serviceUrl });
  manager = (await api.createKey({ scopes })).secret;
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const send = (method: string, path: string, options: { key?: string; body?: unknown; url?: string } = {}) =>
  request((options.url ?? api.url) + path, {
    method,
    key: options.key ?? manager,
    ...(options.body === undefined ? {} : { body: options.body }),
  });

async function create(body: Json = {}, key = manager): Promise<Json> {
  const answer = await send('POST', '/v1/api-keys', { key, body: { name: 'made', ...body } });
  expect(answer.status).toBe(201);
  wireCreatedApiKey.parse(answer.body);
  return answer.body;
}

const is = (code: string) => (answer: string) => answer === code;

const statusWith = async (key: string, url = api.url) =>
  (await request(`${url}/v1/shipments`, { key })).body.code ?? 'works';

it('creates a key that works at once, shows its secret once and lists it without', async () => {
  const made = await create({
    name: ' reporting ',
    scopes: ['shipments:read'],
    expires_at: '2999-01-01T00:00:00+02:00',
  });
  expect(made).toMatchObject({
    object: 'api_key',
    name: 'reporting',
    scopes: ['shipments:read'],
    test: false,
    revoked_at: null,
  });
  expect(made.expires_at).toBe('2998-12-31T22:00:00.000Z');
  expect(made.secret).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
  expect(await statusWith(made.secret)).toBe('works');
  const list = await send('GET', '/v1/api-keys');
  expect(list.status).toBe(200);
  wireApiKeyList.parse(list.body);
  const { secret, ...shown } = made;
  expect(list.body.data[0]).toEqual({ ...shown, last_used_at: list.body.data[0].last_used_at });
  expect(JSON.stringify(list.body)).not.toContain(secret);
  expect((await create()).scopes).toEqual(['shipments:read', 'shipments:write']);
});

it('pages through all keys, newest first', async () => {
  for (let made = 0; made < 5; made++) await create({ name: `page ${made}` });
  const whole = await send('GET', '/v1/api-keys?limit=100');
  const seen: string[] = [];
  let path = '/v1/api-keys?limit=2';
  for (;;) {
    const page = await send('GET', path);
    expect(page.status).toBe(200);
    seen.push(...page.body.data.map((key: Json) => key.api_key_id));
    const next = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    expect(page.body.page.has_more).toBe(next !== undefined);
    if (next === undefined) break;
    expect(next).toContain(page.body.page.next_cursor);
    path = next;
  }
  expect(seen).toEqual(whole.body.data.map((key: Json) => key.api_key_id));
  expect(seen).toEqual([...seen].sort().reverse());
  for (const [query, code] of [
    ['cursor=abc', 'invalid_cursor'],
    ['limit=0', 'validation_failed'],
    ['limit=101', 'validation_failed'],
    ['name=x', 'unknown_parameter'],
  ]) {
    expect((await send('GET', `/v1/api-keys?${query}`)).body).toMatchObject({ status: 400, code });
  }
});

it.each<[Json, string, string]>([
  [{}, 'validation_failed', '/name'],
  [{ name: ' ' }, 'validation_failed', '/name'],
  [{ name: 'x'.repeat(201) }, 'validation_failed', '/name'],
  [{ name: 'x', scopes: [] }, 'validation_failed', '/scopes'],
  [{ name: 'x', scopes: ['everything'] }, 'validation_failed', '/scopes/0'],
  [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'validation_failed', '/expires_at'],
  [{ name: 'x', expires_at: '2999-01-01' }, 'validation_failed', '/expires_at'],
  [{ name: 'x', expires_at: '2999-01-01T00:00:00' }, 'validation_failed', '/expires_at'],
  [{ name: 'x', test: 'no' }, 'validation_failed', '/test'],
  [{ name: 'x', scope: ['shipments:read'] }, 'unknown_field', '/scope'],
])('rejects %j and names the field', async (body, code, pointer) => {
  const before = await send('GET', '/v1/api-keys?limit=1');
  const answer = await send('POST', '/v1/api-keys', { body });
  expect(answer.body).toMatchObject({ status: 400, code, errors: [{ pointer }] });
  expect((await send('GET', '/v1/api-keys?limit=1')).body.data[0].api_key_id).toBe(before.body.data[0].api_key_id);
});

it('grants no scope that the calling key lacks, neither by creating nor by rotating a key', async () => {
  const limited = await create({ scopes: ['keys:manage', 'shipments:read'] });
  const refused = await send('POST', '/v1/api-keys', {
    key: limited.secret,
    body: { name: 'more', scopes: ['shipments:write'] },
  });
  expect(refused.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect(refused.body.detail).toContain('shipments:write');
  await create({ scopes: ['shipments:read', 'keys:manage'] }, limited.secret);
  const strong = await create({ scopes: ['carriers:manage'] });
  const rotated = await send('POST', `/v1/api-keys/${strong.api_key_id}/rotate`, { key: limited.secret });
  expect(rotated.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect(rotated.body.detail).toContain('carriers:manage');
  // Revoking grants nothing, so it is allowed.
  expect((await send('DELETE', `/v1/api-keys/${strong.api_key_id}`, { key: limited.secret })).status).toBe(204);
});

it('grants exactly the scopes that some operation requires', async () => {
  const required = new Set(publicOperations.flatMap(({ scope }) => scope ?? []));
  expect(grantableScopes.toSorted()).toEqual([...required].toSorted());
  expect((await create({ scopes: [...grantableScopes] })).scopes).toEqual([...grantableScopes]);
  const refused = await send('POST', '/v1/api-keys', { body: { name: 'made', scopes: ['everything:manage'] } });
  expect(refused.body).toMatchObject({
    status: 400,
    errors: [{ pointer: '/scopes/0', detail: expect.stringContaining('keys:manage') }],
  });
});

it('limits test keys to test keys, and allows live keys both', async () => {
  const testManager = await create({ test: true, scopes: ['keys:manage', 'shipments:read'] });
  expect(testManager.secret).toMatch(/^svc_test_/);
  const live = await create();
  const own = await create({ scopes: ['shipments:read'] }, testManager.secret);
  expect(own).toMatchObject({ test: true });
  const refused = await send('POST', '/v1/api-keys', {
    key: testManager.secret,
    body: { name: 'live', test: false, scopes: ['shipments:read'] },
  });
  expect(refused.body).toMatchObject({ status: 403, code: 'test_key_not_allowed' });
  const seen = (await send('GET', '/v1/api-keys?limit=100', { key: testManager.secret })).body.data;
  expect(seen.every((key: Json) => key.test)).toBe(true);
  for (const [method, path] of [
    ['DELETE', `/v1/api-keys/${live.api_key_id}`],
    ['POST', `/v1/api-keys/${live.api_key_id}/rotate`],
  ] as const) {
    expect((await send(method, path, { key: testManager.secret })).body).toMatchObject({
      status: 404,
      code: 'api_key_not_found',
    });
  }
  expect(await statusWith(live.secret)).toBe('works');
  expect((await send('DELETE', `/v1/api-keys/${own.api_key_id}`)).status).toBe(204);
});

it('keeps a rotated key valid until its overlap ends, while its successor works at once', async () => {
  const old = await create({ name: 'rotating' });
  const before = Date.now();
  const answer = await send('POST', `/v1/api-keys/${old.api_key_id}/rotate`);
  expect(answer.status).toBe(201);
  const successor = wireCreatedApiKey.parse(answer.body);
  expect(successor).toMatchObject({ name: 'rotating', scopes: old.scopes, test: false, expires_at: null });
  expect([await statusWith(old.secret), await statusWith(successor.secret)]).toEqual(['works', 'works']);
  const listed = (await send('GET', '/v1/api-keys?limit=100')).body.data.find(
    (key: Json) => key.api_key_id === old.api_key_id,
  );
  expect(listed.rotated_to).toBe(successor.api_key_id);
  expect(Math.abs(Date.parse(listed.expires_at) - before - 24 * 3_600_000)).toBeLessThan(60_000);
  const again = await send('POST', `/v1/api-keys/${old.api_key_id}/rotate`);
  expect(again.body).toMatchObject({ status: 409, code: 'invalid_state' });
  expect(again.body.detail).toContain(successor.api_key_id);
});

it('ends the old key in every process within a second if the overlap is 0', async () => {
  const old = await create({ expires_at: '2999-01-01T00:00:00Z' });
  expect(await statusWith(old.secret, other.url)).toBe('works');
  const rotated = await send('POST', `/v1/api-keys/${old.api_key_id}/rotate`, { body: { overlap_hours: 0 } });
  expect(rotated.status).toBe(201);
  expect(await lastAskedBefore(() => statusWith(old.secret, other.url), is('expired_api_key'))).toBeLessThan(1000);
  expect(Date.parse(rotated.body.expires_at)).toBeGreaterThanOrEqual(Date.parse('2999-01-01T00:00:00Z'));
  expect(await statusWith(rotated.body.secret, other.url)).toBe('works');
});

it('never extends a key by its overlap, and cannot rotate an ended key', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const old = await create({ expires_at: soon });
  await send('POST', `/v1/api-keys/${old.api_key_id}/rotate`, { body: { overlap_hours: 168 } });
  const listed = (await send('GET', '/v1/api-keys?limit=100')).body.data.find(
    (key: Json) => key.api_key_id === old.api_key_id,
  );
  expect(listed.expires_at).toBe(soon);
  for (const body of [{ overlap_hours: -1 }, { overlap_hours: 169 }, { overlap_hours: '1' }]) {
    expect((await send('POST', `/v1/api-keys/${old.api_key_id}/rotate`, { body })).body).toMatchObject({
      code: 'validation_failed',
    });
  }
  const revoked = await create();
  await send('DELETE', `/v1/api-keys/${revoked.api_key_id}`);
  const expired = await api.createKey({ expiresAt: '2020-01-01T00:00:00.000Z' });
  const { encodeTypeId } = await import('#shared/domain/type-id.ts');
  for (const id of [revoked.api_key_id, encodeTypeId('key', expired.id)]) {
    expect((await send('POST', `/v1/api-keys/${id}/rotate`)).body).toMatchObject({
      status: 409,
      code: 'invalid_state',
    });
  }
});

it('allows one of several concurrent rotations', async () => {
  const old = await create();
  const answers = await Promise.all(
    [api.url, other.url, api.url, other.url].map((url) =>
      send('POST', `/v1/api-keys/${old.api_key_id}/rotate`, { url }),
    ),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409]);
});

it('rejects a revoked key in every process within a second, and a second revocation changes nothing', async () => {
  const made = await create({ scopes: ['keys:manage', 'shipments:read'] });
  expect([await statusWith(made.secret), await statusWith(made.secret, other.url)]).toEqual(['works', 'works']);
  // A key may revoke itself.
  expect((await send('DELETE', `/v1/api-keys/${made.api_key_id}`, { key: made.secret })).status).toBe(204);
  await Promise.all(
    [api.url, other.url].map(async (url) =>
      expect(await lastAskedBefore(() => statusWith(made.secret, url), is('revoked_api_key'))).toBeLessThan(1000),
    ),
  );
  const first = (await send('GET', '/v1/api-keys?limit=100')).body.data.find(
    (key: Json) => key.api_key_id === made.api_key_id,
  );
  expect((await send('DELETE', `/v1/api-keys/${made.api_key_id}`)).status).toBe(204);
  const second = (await send('GET', '/v1/api-keys?limit=100')).body.data.find(
    (key: Json) => key.api_key_id === made.api_key_id,
  );
  expect(second).toEqual(first);
});

it('records each change in the audit log once, with its actor and request', async () => {
  const actor = await create({ scopes: [...grantableScopes] });
  const made = await send('POST', '/v1/api-keys', { key: actor.secret, body: { name: 'audited' } });
  const rotated = await send('POST', `/v1/api-keys/${made.body.api_key_id}/rotate`, { key: actor.secret });
  const revoked = await send('DELETE', `/v1/api-keys/${made.body.api_key_id}`, { key: actor.secret });
  await send('DELETE', `/v1/api-keys/${made.body.api_key_id}`, { key: actor.secret });
  const subject = decodeTypeId('key', made.body.api_key_id);
  const { rows } = await withAccount(api.ctx.core.store, api.accountId, (tx) =>
    tx.query('select actor, action, request_id, detail from landfall.audit where subject_id = $1 order by id', [
      subject,
    ]),
  );
  const requestId = (answer: Json) => answer.headers.get('x-request-id');
  expect(rows).toMatchObject([
    { actor: actor.api_key_id, action: 'api_key.created', request_id: requestId(made) },
    {
      actor: actor.api_key_id,
      action: 'api_key.rotated',
      request_id: requestId(rotated),
      detail: { rotatedTo: rotated.body.api_key_id },
    },
    { actor: actor.api_key_id, action: 'api_key.revoked', request_id: requestId(revoked) },
  ]);
  expect(JSON.stringify(rows)).not.toContain(made.body.secret);
});

it('ignores a key in the address and repeats it in neither log nor answer', async () => {
  const made = await create({ scopes: ['shipments:read'] });
  const answer = await fetch(`${api.url}/v1/shipments?api_key=${made.secret}`);
  expect(await jsonOf(answer)).toMatchObject({ status: 401, code: 'missing_api_key' });
  const both = await send('GET', `/v1/shipments?api_key=${made.secret}`);
  expect(both.body).toMatchObject({ status: 400, code: 'unknown_parameter' });
  expect(JSON.stringify(both.body)).not.toContain(made.secret);
  expect(api.logLines.join('\n')).not.toContain(made.secret);
});

it('refuses a valid key beyond 200, also to concurrent requests, and has room again after a revocation', async () => {
  const { accountId } = await withSystem(api.ctx.core.store, (tx) => ensureAccount(tx, `full of keys ${randomUUID()}`));
  const owner = await createApiKey(api.ctx.core, accountId, { name: 'owner', scopes, test: false });
  // An expired key takes no room.
  await withAccount(api.ctx.core.store, accountId, (tx) =>
    tx.query(
      `insert into landfall.api_keys (account_id, name, prefix, last_four, key_hash, scopes, test, expires_at)
      select $1::uuid, 'made', 'svc_live_none', 'none', sha256(convert_to($1::text || n, 'utf8')), '{shipments:read}', false,
        case when n = 0 then now() - interval '1 hour' end
      from generate_series(0, 198) as n`,
      [accountId],
    ),
  );
  const wanted = { name: 'one more', scopes: ['shipments:read'] };
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => send('POST', '/v1/api-keys', { key: owner.secret, body: wanted })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const refused = answers.find(({ status }) => status === 409)?.body;
  expect(refused).toMatchObject({ code: 'invalid_state', detail: expect.stringContaining('Revoke one') });
  const made = answers.find(({ status }) => status === 201)?.body.api_key_id;
  const rotated = await send('POST', `/v1/api-keys/${made}/rotate`, { key: owner.secret, body: {} });
  expect(rotated.status).toBe(201);
  // The overlap of the first rotation still takes room.
  const again = await send('POST', `/v1/api-keys/${rotated.body.api_key_id}/rotate`, { key: owner.secret, body: {} });
  expect([again.status, again.body.code]).toEqual([409, 'invalid_state']);
  expect((await send('DELETE', `/v1/api-keys/${made}`, { key: owner.secret })).status).toBe(204);
  expect((await send('DELETE', `/v1/api-keys/${rotated.body.api_key_id}`, { key: owner.secret })).status).toBe(204);
  expect((await send('POST', '/v1/api-keys', { key: owner.secret, body: wanted })).status).toBe(201);
});
