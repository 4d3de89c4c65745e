import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticateKey } from '#shared/core/keys/authenticate-key.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { ensureFirstAccount } from '#shared/core/keys/ensure-initial-access.ts';
import { listAllApiKeys } from '#shared/core/keys/list-api-keys.ts';
import { revokeApiKey } from '#shared/core/keys/revoke-api-key.ts';
import { apiKeyBody, formatApiKey } from '#shared/domain/keys/api-key.ts';
import { defaultLimits } from '#shared/domain/keys/limits.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { lastAskedBefore } from '#test/support/until.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
});

afterAll(() => core.close());

test('authenticates a new key with the shipment scopes and shows it once', async () => {
  const caller = await core.newCaller();
  const created = await createApiKey(core.ctx, caller.accountId, { name: 'first', test: false });
  expect(created.secret).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
  expect(await authenticateKey(core.ctx, created.secret)).toEqual({
    accountId: caller.accountId,
    keyId: created.id,
    scopes: ['shipments:read', 'shipments:write'],
    test: false,
    isAppToken: false,
    limits: defaultLimits,
  });
  const { secret, ...shown } = created;
  const [listed] = await listAllApiKeys(core.ctx, caller);
  expect(listed).toEqual({ ...shown, lastUsedAt: listed?.lastUsedAt });
  expect(JSON.stringify(listed)).not.toContain(secret);
  expect(secret.startsWith(shown.prefix) && secret.endsWith(shown.lastFour)).toBe(true);
});

test('marks a test key', async () => {
  const caller = await core.newCaller();
  const created = await createApiKey(core.ctx, caller.accountId, {
    name: 'try',
    test: true,
    scopes: ['shipments:read'],
  });
  expect(created.secret).toMatch(/^svc_test_/);
  expect(await authenticateKey(core.ctx, created.secret)).toMatchObject({ test: true, scopes: ['shipments:read'] });
});

test('refuses a mistyped key without a query and an unknown key with one', async () => {
  const mistyped = authenticateKey(
    { ...core.ctx, store: { ...core.ctx.store, system: null as never } },
    `svc_live_${'a'.repeat(38)}`,
  );
  await expect(mistyped).rejects.toMatchObject({ code: 'invalid_api_key' });
  const unknown = formatApiKey(
    apiKeyBody((count) => crypto.getRandomValues(new Uint8Array(count))),
    false,
  );
  await expect(authenticateKey(core.ctx, unknown)).rejects.toMatchObject({ code: 'invalid_api_key' });
});

test('refuses a revoked key within a second', async () => {
  const caller = await core.newCaller();
  const created = await createApiKey(core.ctx, caller.accountId, { name: 'old', test: false });
  await authenticateKey(core.ctx, created.secret);
  const revoked = await revokeApiKey(core.ctx, caller, created.id);
  expect(revoked.revokedAt).not.toBeNull();
  const authenticate = () => authenticateKey(core.ctx, created.secret).catch((error: unknown) => error);
  const isRevoked = (answer: object) => 'code' in answer && answer.code === 'revoked_api_key';
  expect(await lastAskedBefore(authenticate as () => Promise<object>, isRevoked)).toBeLessThan(1000);
  expect((await revokeApiKey(core.ctx, caller, created.id)).revokedAt).toBe(revoked.revokedAt);
});

test('refuses an expired key with its own code', async () => {
  const caller = await core.newCaller();
  const created = await createApiKey(core.ctx, caller.accountId, {
    name: 'old',
    test: false,
    expiresAt: '2020-01-01T00:00:00.000Z',
  });
  await expect(authenticateKey(core.ctx, created.secret)).rejects.toMatchObject({ code: 'expired_api_key' });
});

test("neither lists nor revokes another account's key", async () => {
  const [mine, theirs] = [await core.newCaller(), await core.newCaller()];
  const created = await createApiKey(core.ctx, theirs.accountId, { name: 'theirs', test: false });
  await expect(revokeApiKey(core.ctx, mine, created.id)).rejects.toMatchObject({ code: 'api_key_not_found' });
  expect(await listAllApiKeys(core.ctx, mine)).toEqual([]);
  expect(await authenticateKey(core.ctx, created.secret)).toMatchObject({ accountId: theirs.accountId });
});

test('records the use of a key and shares one query among requests within a second', async () => {
  const caller = await core.newCaller();
  const created = await createApiKey(core.ctx, caller.accountId, { name: 'busy', test: false });
  let queries = 0;
  const system = new Proxy(core.store.system, {
    get: (pool, name, receiver) => {
      if (name === 'query') queries += 1;
      return Reflect.get(pool, name, receiver);
    },
  });
  const ctx = { ...core.ctx, store: { ...core.store, system } };
  await Promise.all(Array.from({ length: 50 }, () => authenticateKey(ctx, created.secret)));
  await expect.poll(async () => (await listAllApiKeys(core.ctx, caller))[0]?.lastUsedAt).toEqual(expect.any(String));
  expect(queries).toBe(2);
});

test('writes the creation and revocation of keys to the audit log', async () => {
  const caller = await core.newCaller();
  const created = await createApiKey(core.ctx, caller.accountId, { name: 'logged', test: false });
  await revokeApiKey(core.ctx, caller, created.id);
  const { rows } = await withAccount(core.store, caller.accountId, (tx) =>
    tx.query('select action, subject_id from landfall.audit order by id'),
  );
  expect(rows).toEqual([
    { action: 'api_key.created', subject_id: created.id },
    { action: 'api_key.revoked', subject_id: created.id },
  ]);
});

test('creates the first account once across processes', async () => {
  const results = await Promise.all(Array.from({ length: 4 }, () => ensureFirstAccount(core.ctx)));
  expect(results.filter((result) => result.created)).toHaveLength(1);
  expect(new Set(results.map((result) => result.accountId)).size).toBe(1);
});
