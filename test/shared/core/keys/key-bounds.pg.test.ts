import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CreatedApiKey, createApiKeyFor } from '#shared/core/keys/create-api-key.ts';
import { revokeApiKey } from '#shared/core/keys/revoke-api-key.ts';
import { rotateApiKey } from '#shared/core/keys/rotate-api-key.ts';
import { type Caller, type Scope, scopes } from '#shared/domain/caller.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;
beforeAll(async () => {
  core = await openTestCore();
});
afterAll(() => core.close());

const hoursFromNow = (hours: number) => new Date(core.ctx.now().getTime() + hours * 3_600_000).toISOString();

/** A caller with a key of its own that expires in a day. */
async function keyCaller(expiresAt = hoursFromNow(24)): Promise<Caller & { expiresAt: string }> {
  const operator = await core.newCaller({ scopes });
  const { id } = await createApiKeyFor(core.ctx, operator, { name: 'maker', scopes, expiresAt });
  return { ...operator, keyId: id, expiresAt };
}

const make = (
  caller: Caller,
  expiresAt: string | null = null,
  granted: readonly Scope[] = scopes,
): Promise<CreatedApiKey> => createApiKeyFor(core.ctx, caller, { name: 'made', scopes: granted, expiresAt });

it('makes no key that outlives the key that makes it', async () => {
  const caller = await keyCaller();
  expect((await make(caller)).expiresAt).toBe(caller.expiresAt);
  expect((await make(caller, caller.expiresAt)).expiresAt).toBe(caller.expiresAt);
  expect((await make(caller, hoursFromNow(1))).expiresAt).not.toBe(caller.expiresAt);
  await expect(make(caller, hoursFromNow(25))).rejects.toMatchObject({
    code: 'validation_failed',
    mistakes: [{ pointer: '/expires_at', code: 'outlives_creator' }],
  });
  const later = hoursFromNow(9000);
  expect((await make({ ...caller, keyId: null }, later)).expiresAt).toBe(later);
});

it('rotates a key, itself included, to none that outlives the key that rotates it', async () => {
  const caller = await keyCaller();
  const endless = await make({ ...caller, keyId: null });
  const rotated = await rotateApiKey(core.ctx, caller, { keyId: endless.id, overlapHours: 0 });
  expect(rotated.expiresAt).toBe(caller.expiresAt);
  const renewed = await rotateApiKey(core.ctx, caller, { keyId: caller.keyId ?? '', overlapHours: 1 });
  expect(renewed.expiresAt).toBe(caller.expiresAt);
});

it('makes no key with more scopes than the key that makes it', async () => {
  const caller = await keyCaller();
  const narrow: Caller = { ...caller, scopes: ['shipments:read', 'keys:manage'] };
  await expect(make(narrow, null, ['shipments:write'])).rejects.toMatchObject({ code: 'insufficient_scope' });
  const wide = await make(caller);
  await expect(rotateApiKey(core.ctx, narrow, { keyId: wide.id, overlapHours: 0 })).rejects.toMatchObject({
    code: 'insufficient_scope',
  });
});

it('makes no key with a revoked or expired one, even if the request was admitted before', async () => {
  const caller = await keyCaller();
  const other = await make(caller);
  await revokeApiKey(core.ctx, caller, caller.keyId ?? '');
  await expect(make(caller)).rejects.toMatchObject({ code: 'revoked_api_key' });
  await expect(rotateApiKey(core.ctx, caller, { keyId: other.id, overlapHours: 0 })).rejects.toMatchObject({
    code: 'revoked_api_key',
  });
  const late = await keyCaller();
  await core.store.system.query(`update landfall.api_keys set expires_at = now() where id = $1`, [late.keyId]);
  await expect(make(late)).rejects.toMatchObject({ code: 'expired_api_key' });
});
