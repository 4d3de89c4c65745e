import { createHmac } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CoreContext } from '#shared/core/core-context.ts';
import { openSecretKeys } from '#shared/core/secrets/seal-secret.ts';
import { ensureSigningSecret, forgetSigningSecret } from '#shared/core/secrets/signing-secret.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { type Browser, claimApi, openBrowser } from '#test/support/browser/dashboard.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { runScript } from '#test/support/processes.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
let operator: Browser;
let admin: pg.Client;
beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
  operator = await claimApi(api);
  admin = new pg.Client({ connectionString: api.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await api.close();
});

/** Every value of every row, as text, and the bytes of `bytea` as text too. */
async function copyOfDatabase(): Promise<string[]> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select relnamespace::regnamespace::text || '.' || relname as name from pg_class
    where relnamespace in ('landfall'::regnamespace, 'auth'::regnamespace) and relkind = 'r'`,
  );
  const values = new Set<string>();
  for (const { name } of tables) {
    const { rows } = await admin.query<{ value: string }>(
      `select distinct e.value from ${name} as t, jsonb_each_text(to_jsonb(t)) as e where e.value is not null`,
    );
    for (const { value } of rows) {
      values.add(value);
      if (value.startsWith('\\x')) values.add(Buffer.from(value.slice(2), 'hex').toString('latin1'));
    }
  }
  return [...values].filter((value) => value.length >= 16 && value.length <= 300);
}

const cookieName = '__Host-landfall.session_token';

/** A session cookie as better-auth signs it. */
const forge = (token: string, secret: string) =>
  encodeURIComponent(`${token}.${createHmac('sha256', secret).update(token).digest('base64')}`);

async function opens(cookie: string): Promise<boolean> {
  const browser = openBrowser(api);
  browser.cookies.set(cookieName, cookie);
  return (await browser.ask('/dashboard/api/session')).status === 200;
}

it('refuses sessions that are made from a copy of the whole database', async () => {
  const cookie = operator.cookies.get(cookieName) ?? '';
  const token = decodeURIComponent(cookie).split('.')[0] ?? '';
  const secret = await ensureSigningSecret(api.ctx.core);
  expect(await opens(forge(token, secret))).toBe(true);

  const copied = await copyOfDatabase();
  expect(copied).not.toContain(token);
  expect(copied).not.toContain(secret);
  const { rows } = await admin.query<{ token: string }>('select token from auth.sessions');
  expect(rows).toHaveLength(1);
  const { rows: signing } = await admin.query<{ secret: Buffer }>('select secret from auth.signing_secret');
  const secrets = [
    secret,
    ...signing.flatMap((row) => ['latin1', 'base64', 'hex'].map((form) => row.secret.toString(form as 'hex'))),
  ];
  // Even with the secret itself, no value that is stored is a token.
  for (const stored of [...rows.map((row) => row.token), ...copied.filter((value) => /^[\w-]{32,64}$/.test(value))])
    expect(await opens(forge(stored, secret))).toBe(false);
  // Nor does the stored form of the secret sign a known token.
  for (const stored of secrets.slice(1)) expect(await opens(forge(token, stored))).toBe(false);
});

it('finds, renews and ends a session by its token, and the other sessions without it', async () => {
  const sign = async () => {
    const browser = openBrowser(api);
    const body = { email: 'owner@example.test', password: 'a password of tests' };
    await browser.ask('/dashboard/api/auth/sign-in/email', { body });
    return browser;
  };
  const [first, second] = [await sign(), await sign()];
  // A session is extended once a day.
  await admin.query(
    `update auth.sessions set expires_at = now() + interval '5 days', updated_at = now() - interval '2 days'`,
  );
  const extended = await first.ask('/dashboard/api/session');
  expect(extended.headers.getSetCookie().join()).toContain(cookieName);
  expect((await first.ask('/dashboard/api/auth/revoke-other-sessions', { body: {} })).status).toBe(204);
  expect((await second.ask('/dashboard/api/session')).status).toBe(401);
  expect((await first.ask('/dashboard/api/session')).status).toBe(200);
  expect((await first.ask('/dashboard/api/auth/sign-out', { body: {} })).status).toBe(204);
  expect((await first.ask('/dashboard/api/session')).status).toBe(401);
});

it('seals the signing secret with the current key, and never replaces it when its key is missing', async () => {
  const with_ = async (...versions: string[]): Promise<CoreContext> => ({
    ...api.ctx.core,
    secretKeys: await openSecretKeys(versions.map((version) => ({ version, key: keyOf(version) }))),
  });
  const stored = async () => {
    const { rows } = await admin.query<{ key_version: string | null; secret: Buffer }>(
      'select key_version, secret from auth.signing_secret',
    );
    return rows[0];
  };
  const secret = await ensureSigningSecret(await with_('v1'));
  expect((await stored())?.key_version).toBe('v1');
  expect(await ensureSigningSecret(await with_('v2', 'v1'))).toBe(secret);
  expect((await stored())?.key_version).toBe('v2');
  expect(await ensureSigningSecret(await with_('v2'))).toBe(secret);
  const before = await stored();
  const otherV2 = await openSecretKeys([{ version: 'v2', key: keyOf('v3') }]);
  for (const secretKeys of [null, (await with_('v3')).secretKeys, otherV2])
    await expect(ensureSigningSecret({ ...api.ctx.core, secretKeys })).rejects.toThrow(
      /encrypted with the key v2\. Put the previous v2 back into CREDENTIAL_KEYS.*forget-signing-secret/s,
    );
  expect(await stored()).toEqual(before);

  expect(await forgetSigningSecret(await with_('v3'))).toBe(true);
  expect(await forgetSigningSecret(await with_('v3'))).toBe(false);
  expect(await ensureSigningSecret(await with_('v3'))).not.toBe(secret);
  await forgetSigningSecret(await with_('v3'));
  const plain = await ensureSigningSecret({ ...api.ctx.core, secretKeys: null });
  expect((await stored())?.key_version).toBeNull();
  expect(await ensureSigningSecret(await with_('v1'))).toBe(plain);
  expect((await stored())?.secret.includes(plain)).toBe(false);
});

it('refuses to start an API whose keys cannot decrypt the signing secret, and starts one after it was forgotten', async () => {
  const environment = { DATABASE_URL: api.serviceUrl, CREDENTIAL_KEYS: `v9:${keyOf('v9')}` };
  await expect(startTestApi(environment, { openDatabase: ownDatabase })).rejects.toThrow(
    /cannot decrypt the secret that signs session cookies/,
  );
  await runScript('keys', ['forget-signing-secret'], environment);
  await (await startTestApi(environment, { openDatabase: ownDatabase })).close();
  await forgetSigningSecret(api.ctx.core);
});

it('agrees on one signing secret between processes that start together', async () => {
  await admin.query('delete from auth.signing_secret');
  const made = await Promise.all([1, 2, 3, 4].map(() => ensureSigningSecret(api.ctx.core)));
  expect(new Set(made).size).toBe(1);
});

function keyOf(version: string): string {
  return version === 'v1' ? testCredentialKey : Buffer.from(version.padEnd(32, '.')).toString('base64');
}
