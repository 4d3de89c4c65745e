import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '#test/support/api.ts';
import { claimApi, openBrowser, password, signedIn } from '#test/support/dashboard.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

it('the claim link makes the first user, owner of the first account, who is signed in', async () => {
  const browser = await claimApi(api);
  const { status, body } = await browser.ask('/dashboard/api/session');
  expect(status).toBe(200);
  expect(body).toEqual({
    user: { id: expect.stringMatching(/^user_/), name: 'Olga Owner', email: 'owner@example.test', is_operator: true },
    accounts: [{ id: expect.stringMatching(/^acc_/), name: 'default', role: 'owner', tests_allowed: true }],
    version: expect.any(String),
    simulated: false,
    public_base_url: expect.any(String),
  });
  const list = await browser.ask('/dashboard/api/v1/shipments', { headers: { 'landfall-account': body.accounts[0].id } });
  expect(list.status).toBe(200);
});

it('the cookie is of this host alone, over https, out of reach of scripts, and signing out ends it', async () => {
  const { email } = await signedIn(api, 'viewer', 'cookies');
  const browser = openBrowser(api);
  const answer = await browser.ask('/dashboard/api/auth/sign-in/email', { body: { email, password } });
  expect(answer.body).toEqual({ user: { id: expect.any(String), name: 'A viewer', email } });
  const [cookie = ''] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-landfall\.session_token=/);
  for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(attribute);
  expect(cookie).not.toContain('Domain');
  const kept = new Map(browser.cookies);
  expect((await browser.ask('/dashboard/api/auth/sign-out', { method: 'POST' })).status).toBe(204);
  expect(browser.cookies.size).toBe(0);
  const again = openBrowser(api);
  for (const [name, value] of kept) again.cookies.set(name, value);
  expect((await again.ask('/dashboard/api/session')).status).toBe(401);
});
