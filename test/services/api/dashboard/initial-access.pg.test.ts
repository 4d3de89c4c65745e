import { afterAll, beforeAll, expect, it } from 'vitest';
import { EnvironmentError, readEnv } from '#shared/config/env.ts';
import { initialAccess } from '#shared/config/initial-access.ts';
import { ensureInitialAccess } from '#shared/core/keys/ensure-initial-access.ts';
import { newSecret } from '#shared/core/secrets/new-secret.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { openBrowser, password } from '#test/support/browser/dashboard.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const email = 'admin@example.test';

it('creates the configured account, user and key once, however many processes start, and keeps later changes', async () => {
  const { secret } = newSecret(false);
  const files: Record<string, string> = { '/run/password': `${password}\n`, '/run/key': secret };
  const env = readEnv({
    INIT_ADMIN_EMAIL: 'Admin@example.test',
    INIT_ADMIN_PASSWORD_FILE: '/run/password',
    INIT_ACCOUNT: 'Acme',
    INIT_API_KEY_FILE: '/run/key',
  });
  const initial = initialAccess(env, (path) => files[path] ?? '');
  if (initial === null) throw new Error('nothing is configured');
  const start = () => ensureInitialAccess(api.ctx.core, initial, api.ctx.auth.hashPassword);
  await Promise.all([start(), start(), start()]);
  const browser = openBrowser(api);
  const signIn = (given: string) =>
    browser.ask('/dashboard/api/auth/sign-in/email', { body: { email, password: given } });
  expect((await signIn(password)).status).toBe(200);
  const session = (await browser.ask('/dashboard/api/session')).body;
  expect(session).toMatchObject({
    user: { is_operator: true },
    accounts: [
      { name: 'Acme', role: 'owner' },
      { name: 'default', role: 'owner' },
    ],
  });
  const keys = await browser.ask('/dashboard/api/v1/api-keys', {
    headers: { 'landfall-account': session.accounts[0].id },
  });
  expect(keys.body.data).toMatchObject([{ name: 'initial key' }]);
  expect((await fetch(`${api.url}/v1/shipments`, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200);

  await browser.ask('/dashboard/api/auth/change-password', {
    body: { currentPassword: password, newPassword: 'changed by the user' },
  });
  await start();
  expect((await signIn('changed by the user')).status).toBe(200);
});

it('rejects an incomplete user, a value set twice and a file without the value before anything starts', () => {
  const refusal = (source: Record<string, string>, file = '') => {
    try {
      initialAccess(readEnv(source), () => file);
    } catch (error) {
      if (error instanceof EnvironmentError) return error.message;
    }
    return null;
  };
  expect(refusal({ INIT_ADMIN_EMAIL: email })).toContain('must be set together');
  expect(refusal({ INIT_ADMIN_PASSWORD: password })).toContain('must be set together');
  expect(refusal({ INIT_ADMIN_EMAIL: email, INIT_ADMIN_PASSWORD: 'short' })).toMatch(/\(hidden\).*10 to 128/);
  expect(refusal({ INIT_ADMIN_EMAIL: 'nobody', INIT_ADMIN_PASSWORD: password })).toContain('email address');
  expect(refusal({ INIT_API_KEY: 'svc_live_mine' })).toContain('complete key');
  expect(refusal({ INIT_API_KEY: 'svc_live_mine' })).not.toContain('svc_live_mine');
  expect(refusal({ INIT_API_KEY_FILE: '/run/key' }, 'nothing')).toContain('complete key');
  expect(
    refusal({ INIT_ADMIN_EMAIL: email, INIT_ADMIN_PASSWORD: password, INIT_ADMIN_PASSWORD_FILE: '/run/password' }),
  ).toContain('both set');
  expect(initialAccess(readEnv({}), () => '')).toBeNull();
});
