import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  openSecret,
  openSecretKeys,
  resealSecret,
  type SecretOwner,
  SecretUnreadable,
  sealSecret,
} from '#shared/core/secrets/seal-secret.ts';
import { runs } from '#test/support/run-scale.ts';

const newKey = (version: string) => ({ version, key: randomBytes(32).toString('base64') });
const [v1, v2] = [newKey('v1'), newKey('v2')];
const withKeys = async (...keys: (typeof v1)[]) => ({ secretKeys: await openSecretKeys(keys) });
const owner: SecretOwner = {
  accountId: '01890a5d-ac96-774b-bcce-b302099a8057',
  purpose: 'carrier-credentials:MAEU',
  id: 'one',
};

it('decrypts any sealed text and contains no part of it', async () => {
  const ctx = await withKeys(v1);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const stored = await sealSecret(ctx, owner, text);
      expect(stored.keyVersion).toBe('v1');
      if (Buffer.byteLength(text) >= 4) expect(stored.sealed.includes(Buffer.from(text))).toBe(false);
      expect(await openSecret(ctx, owner, stored)).toBe(text);
    }),
    { numRuns: runs(50) },
  );
});

it('seals the same text differently each time', async () => {
  const ctx = await withKeys(v1);
  const [one, other] = await Promise.all([sealSecret(ctx, owner, 'text'), sealSecret(ctx, owner, 'text')]);
  expect(one.sealed.equals(other.sealed)).toBe(false);
});

it.each<[string, SecretOwner]>([
  ['another account', { ...owner, accountId: '01890a5d-ac96-774b-bcce-b302099a8058' }],
  ['the installation', { ...owner, accountId: null }],
  ['another purpose', { ...owner, purpose: 'carrier-credentials:HLCU' }],
  ['another row', { ...owner, id: 'two' }],
])('cannot be decrypted for %s', async (_, thief) => {
  const ctx = await withKeys(v1);
  const stored = await sealSecret(ctx, owner, 'text');
  await expect(openSecret(ctx, thief, stored)).rejects.toThrow(SecretUnreadable);
  await expect(resealSecret(ctx, thief, stored)).rejects.toThrow(SecretUnreadable);
});

it('cannot be decrypted after any byte was changed, added or removed', async () => {
  const ctx = await withKeys(v1);
  const stored = await sealSecret(ctx, owner, 'text');
  for (let at = 0; at < stored.sealed.length; at++) {
    const sealed = Buffer.from(stored.sealed);
    sealed[at] = (sealed[at] ?? 0) ^ 1;
    await expect(openSecret(ctx, owner, { ...stored, sealed }), `byte ${at}`).rejects.toThrow(SecretUnreadable);
  }
  for (const sealed of [
    stored.sealed.subarray(0, -1),
    stored.sealed.subarray(0, 20),
    Buffer.alloc(0),
    Buffer.concat([stored.sealed, Buffer.of(0)]),
  ]) {
    await expect(openSecret(ctx, owner, { ...stored, sealed })).rejects.toThrow(SecretUnreadable);
  }
});

it('seals with the first key, decrypts with all, and no longer needs the old key after resealing', async () => {
  const before = await sealSecret(await withKeys(v1), owner, 'text');
  const rotated = await withKeys(v2, v1);
  expect(await openSecret(rotated, owner, before)).toBe('text');
  expect((await sealSecret(rotated, owner, 'text')).keyVersion).toBe('v2');
  const after = await resealSecret(rotated, owner, before);
  expect(after.keyVersion).toBe('v2');
  expect(await openSecret(await withKeys(v2), owner, after)).toBe('text');
  await expect(openSecret(await withKeys(v2), owner, before)).rejects.toThrow(/needs the key v1/);
  await expect(openSecret(await withKeys(newKey('v1')), owner, before)).rejects.toThrow(SecretUnreadable);
});

it('seals nothing without keys and names the variable in the error', async () => {
  await expect(sealSecret({ secretKeys: null }, owner, 'text')).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining('CREDENTIAL_KEYS'),
  });
});

it('does not expose the keys of a context', async () => {
  const ctx = await withKeys(v1);
  expect(JSON.stringify({ ctx, keys: [...(ctx.secretKeys?.byVersion ?? [])] })).not.toContain(v1.key);
  for (const key of ctx.secretKeys?.byVersion.values() ?? []) {
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
  }
});
