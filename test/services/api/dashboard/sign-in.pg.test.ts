import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withAccount } from '#shared/store/with-account.ts';
import { type Json, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { claimApi, openBrowser, password, signedIn } from '#test/support/browser/dashboard.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
});
afterAll(() => api.close());

it('creates the first user, signed in as owner of the first account, from the claim link', async () => {
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
  const list = await browser.ask('/dashboard/api/v1/shipments', {
    headers: { 'landfall-account': body.accounts[0].id },
  });
  expect(list.status).toBe(200);
});

it('restricts the cookie to this host, to https and to HTTP, and clears it on sign-out', async () => {
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
  expect([...browser.cookies.keys()]).toEqual(['__Host-landfall.browser']);
  const again = openBrowser(api);
  for (const [name, value] of kept) again.cookies.set(name, value);
  expect((await again.ask('/dashboard/api/session')).status).toBe(401);
});

it('rejects a session at its first request after it was ended elsewhere', async () => {
  const first = await signedIn(api, 'viewer', 'sessions');
  const second = openBrowser(api);
  await second.ask('/dashboard/api/auth/sign-in/email', { body: { email: first.email, password } });
  const { body } = await first.ask('/dashboard/api/sessions');
  expect(body.data).toHaveLength(2);
  expect(body.data).toContainEqual(expect.objectContaining({ current: true, address: '127.0.0.1' }));
  expect(JSON.stringify(body)).not.toContain([...second.cookies.values()][0]?.split('.')[0]);
  const other = body.data.find(({ current }: { current: boolean }) => !current);
  expect((await second.ask('/dashboard/api/session')).status).toBe(200);
  expect((await first.ask(`/dashboard/api/sessions/${other.id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await second.ask('/dashboard/api/session')).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  const stranger = await signedIn(api, 'viewer', 'sessions');
  const [own] = (await first.ask('/dashboard/api/sessions')).body.data;
  expect(await stranger.ask(`/dashboard/api/sessions/${own.id}`, { method: 'DELETE' })).toMatchObject({ status: 404 });
  expect((await first.ask('/dashboard/api/session')).status).toBe(200);
});

it('ends the other sessions on request when the password changes, and rejects the old password', async () => {
  const first = await signedIn(api, 'member', 'passwords');
  const second = openBrowser(api);
  const signIn = (given: string) =>
    second.ask('/dashboard/api/auth/sign-in/email', { body: { email: first.email, password: given } });
  await signIn(password);
  const change = (body: object) => first.ask('/dashboard/api/auth/change-password', { body });
  const next = 'another good password';
  expect(await change({ currentPassword: 'not this one', newPassword: next })).toMatchObject({
    status: 401,
    body: { code: 'wrong_password' },
  });
  expect(await change({ currentPassword: password, newPassword: 'short' })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
  expect((await change({ currentPassword: password, newPassword: next, revokeOtherSessions: true })).status).toBe(204);
  expect((await second.ask('/dashboard/api/session')).status).toBe(401);
  expect((await first.ask('/dashboard/api/session')).status).toBe(200);
  expect(await signIn(password)).toMatchObject({ status: 401, body: { code: 'wrong_password' } });
  expect((await signIn(next)).status).toBe(200);
});

it('allows an address 20 sign-in attempts a minute, even concurrent ones, without affecting API keys behind it', async () => {
  const own = await startTestApi(
    { REDIS_URL: '' },
    { openDatabase: ownDatabase, failedSignInsPerMinute: 20, limitTimeoutMs: 60_000 },
  );
  try {
    // A claim attempt counts like a sign-in attempt and is cheaper for the test.
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        openBrowser(own).ask('/dashboard/api/claim/check', { body: { token: 'guess' } }),
      ),
    );
    // A window may end between the two.
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(40);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(20);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    const signingIn = await openBrowser(own).ask('/dashboard/api/auth/sign-in/email', {
      body: { email: 'nobody@example.test', password: 'x' },
    });
    expect([401, 429]).toContain(signingIn.status);
    expect((await own.request('/v1/shipments')).status).toBe(200);
  } finally {
    await own.close();
  }
});

it('ends the former session of a browser that signs in again, and every session after 30 days', async () => {
  const { email, ask, cookies } = await signedIn(api, 'viewer', 'signing in again');
  const former = openBrowser(api);
  for (const [name, value] of cookies) former.cookies.set(name, value);
  expect((await ask('/dashboard/api/auth/sign-in/email', { body: { email, password } })).status).toBe(200);
  expect((await former.ask('/dashboard/api/session')).status).toBe(401);
  const { body } = await ask('/dashboard/api/sessions');
  expect(body.data).toMatchObject([{ current: true }]);
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  const age = (days: number) =>
    client.query(
      `update auth.sessions set created_at = now() - make_interval(days => $1)
       where user_id = (select id from auth.users where email = $2)`,
      [days, email],
    );
  await age(29);
  expect((await ask('/dashboard/api/session')).status).toBe(200);
  await age(31);
  expect((await ask('/dashboard/api/session')).status).toBe(401);
  await client.end();
});

describe('failed sign-ins', () => {
  const quota = 3;
  let limited: TestApi;
  beforeAll(async () => {
    // Long enough for all requests of a test to be in one window.
    const options = { failedSignInsPerMinute: quota, limitWindowS: 3600, limitTimeoutMs: 60_000 };
    limited = await startTestApi(
      { REDIS_URL: '', TRUST_PROXY: '127.0.0.1' },
      { openDatabase: ownDatabase, ...options },
    );
  });
  afterAll(() => limited.close());

  let addresses = 0;
  const newAddress = () => {
    addresses += 1;
    return { 'x-forwarded-for': `203.0.113.${addresses}` };
  };
  const signIn = async (email: string, given: string, headers: Record<string, string>) => {
    const browser = openBrowser(limited, headers);
    const { status } = await browser.ask('/dashboard/api/auth/sign-in/email', { body: { email, password: given } });
    return { status, browser };
  };

  it('count against the address, and successes do not', async () => {
    const shared = newAddress();
    for (let count = 0; count < quota + 2; count++) {
      const { email } = await signedIn(limited, 'viewer', 'an office');
      expect((await signIn(email, password, shared)).status).toBe(200);
    }
    const statuses: number[] = [];
    for (let sent = 0; sent <= quota; sent++)
      statuses.push((await signIn(`nobody-${sent}@example.test`, 'x', shared)).status);
    expect(statuses).toEqual([...Array.from({ length: quota }, () => 401), 429]);
  });

  it('count against the user from all addresses, but not for a browser that the user signed in with before', async () => {
    const { email } = await signedIn(limited, 'viewer', 'an attacked user');
    const { browser } = await signIn(email, password, newAddress());
    const statuses: number[] = [];
    for (let sent = 0; sent < quota; sent++) statuses.push((await signIn(email, 'wrong', newAddress())).status);
    // The user has signed in twice, which were tries, too.
    expect(statuses).toEqual([401, 429, 429]);
    expect((await signIn(email, password, newAddress())).status).toBe(429);
    const own = await browser.ask('/dashboard/api/auth/sign-in/email', { body: { email, password } });
    expect(own.status).toBe(200);
  });

  it('are the only requests that delay the sign-ins of an address', async () => {
    const shared = newAddress();
    const { email } = await signedIn(limited, 'viewer', 'behind a busy address');
    const browser = openBrowser(limited, shared);
    const send = async (body: object) => (await browser.ask('/dashboard/api/auth/sign-in/email', { body })).status;
    for (let sent = 0; sent < 20 * quota; sent++) {
      expect(await send({ unknown: sent })).toBe(400);
      await browser.ask('/dashboard/api/auth/sign-out', { body: {} });
    }
    // Bodies that cost time to parse are counted before that.
    const large: number[] = [];
    for (let sent = 0; sent < 20 * quota; sent++) large.push(await send({ unknown: 'x'.repeat(2000) }));
    expect([large[0], large.at(-1)]).toEqual([400, 429]);
    expect((await signIn(email, password, shared)).status).toBe(200);
  });

  it('of others do not keep a user out of a known browser at the same address', async () => {
    const shared = newAddress();
    const [{ email }, other] = [
      await signedIn(limited, 'viewer', 'a colleague'),
      await signedIn(limited, 'viewer', 'a colleague'),
    ];
    const { browser } = await signIn(email, password, shared);
    for (let sent = 0; sent < quota; sent++) await signIn(`nobody-${sent}@example.test`, 'x', shared);
    expect((await signIn(other.email, password, shared)).status).toBe(429);
    const again = (body: object) => browser.ask('/dashboard/api/auth/sign-in/email', { body });
    expect((await again({ email, password })).status).toBe(200);
    // The browser is known for its user alone.
    expect((await again({ email: other.email, password })).status).toBe(429);
    // Its own tries have a limit, too.
    for (let sent = 1; sent < quota; sent++) await again({ email, password: 'wrong' });
    expect((await again({ email, password })).status).toBe(429);
  });
});

it('writes sign-ins, wrong passwords, sign-outs and new passwords to the audit log of the user’s accounts', async () => {
  const owner = await signedIn(api, 'owner', 'watched');
  const member = await signedIn(api, 'member', 'watched');
  const audit = async () => {
    const { body } = await owner.ask('/dashboard/api/audit?limit=100');
    return body.data.filter((line: Json) => line.subject_id === member.userId);
  };
  const browser = openBrowser(api, { 'user-agent': 'A browser of tests' });
  const signIn = (given: string) =>
    browser.ask('/dashboard/api/auth/sign-in/email', { body: { email: member.email, password: given } });
  expect((await signIn('not this one')).status).toBe(401);
  await expect.poll(async () => (await audit())[0]?.action).toBe('session.refused');
  expect((await signIn(password)).status).toBe(200);
  const next = 'another good password';
  await browser.ask('/dashboard/api/auth/change-password', { body: { currentPassword: password, newPassword: next } });
  await browser.ask('/dashboard/api/auth/revoke-other-sessions', { body: {} });
  await browser.ask('/dashboard/api/auth/sign-out', { method: 'POST' });
  const lines = await audit();
  expect(lines.map(({ action, actor }: Json) => [action, actor])).toEqual([
    ['session.ended', member.userId],
    ['sessions.ended', member.userId],
    ['password.changed', member.userId],
    ['session.started', member.userId],
    ['session.refused', 'system'],
    ['session.started', member.userId],
  ]);
  expect(lines[3].detail).toEqual({ email: member.email, address: '127.0.0.1', userAgent: 'A browser of tests' });
  // The request role can add lines, and not change or remove them.
  for (const statement of ['update landfall.audit set action = $$x$$', 'delete from landfall.audit'])
    await expect(withAccount(api.ctx.core.store, owner.accountId, (tx) => tx.query(statement))).rejects.toThrow(
      'permission denied',
    );
});

it('refuses leaked passwords, and those that add little to the user’s name or address', async () => {
  const { ask, email } = await signedIn(api, 'member', 'guessable');
  const change = (newPassword: string) =>
    ask('/dashboard/api/auth/change-password', { body: { currentPassword: password, newPassword } });
  for (const guessable of ['qwertyuiop', 'Password1234!', `${email}1`, 'Landfall-2026'])
    expect(await change(guessable), guessable).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ code: 'guessable' }] },
    });
  expect((await change('three unrelated words')).status).toBe(204);
});

it('exposes neither better-auth sign-up nor its other routes', async () => {
  const { ask } = await signedIn(api, 'owner', 'closed');
  const routes = [
    'sign-up/email',
    'organization/create',
    'organization/invite-member',
    'update-session',
    'delete-user',
    'change-email',
  ];
  for (const route of routes) {
    const answer = await ask(`/dashboard/api/auth/${route}`, {
      body: { email: 'x@example.test', password, name: 'x' },
    });
    expect(answer, route).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
  }
});

it('rejects a cookie that was tampered with or belongs to another installation', async () => {
  const { cookies } = await signedIn(api, 'viewer', 'tampered');
  const [name = '', value = ''] = [...cookies][0] ?? [];
  const [token = ''] = decodeURIComponent(value).split('.');
  for (const forged of [
    token,
    `${token}.`,
    `${token}.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D`,
    `${value}x`,
    '',
  ]) {
    const browser = openBrowser(api);
    browser.cookies.set(name, forged);
    expect((await browser.ask('/dashboard/api/session')).status, forged).toBe(401);
  }
});

it('reports neither a new nor an ended session while the database is unavailable', async () => {
  const database = await ownDatabase();
  const proxy = await openFaultProxy(database.serviceUrl);
  const own = await startTestApi({ DATABASE_URL: proxy.url });
  try {
    const browser = await claimApi(own);
    const kept = [...browser.cookies];
    await proxy.cut();
    const credentials = { email: 'owner@example.test', password };
    const answers = [
      await browser.ask('/dashboard/api/auth/sign-out', { method: 'POST' }),
      await browser.ask('/dashboard/api/auth/sign-in/email', { body: credentials }),
      await browser.ask('/dashboard/api/session'),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect([...browser.cookies]).toEqual(kept);
    await proxy.restore();
    await expect.poll(async () => (await browser.ask('/dashboard/api/session')).status).toBe(200);
    expect((await browser.ask('/dashboard/api/auth/sign-out', { method: 'POST' })).status).toBe(204);
    expect(
      (await openBrowser(own, { cookie: kept.map((pair) => pair.join('=')).join('; ') }).ask('/dashboard/api/session'))
        .status,
    ).toBe(401);
  } finally {
    await own.close();
    await proxy.close();
    await database.drop();
  }
});

it('deletes expired sessions when the user signs in again', async () => {
  const { email, ask } = await signedIn(api, 'viewer', 'forgotten');
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  const ofUser = `user_id = (select id from auth.users where email = '${email}')`;
  await client.query(`update auth.sessions set expires_at = now() - interval '1 hour' where ${ofUser}`);
  expect((await ask('/dashboard/api/session')).status).toBe(401);
  await client.query(
    `insert into auth.sessions (user_id, token, expires_at) select id, repeat('e', 64), now() - interval '1 day' from auth.users where email = '${email}'`,
  );
  await openBrowser(api).ask('/dashboard/api/auth/sign-in/email', { body: { email, password } });
  const { rows } = await client.query(`select expires_at > now() as live from auth.sessions where ${ofUser}`);
  await client.end();
  expect(rows).toEqual([{ live: true }]);
});
