import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkClaim, makeClaimToken } from '#shared/core/members/claim-installation.ts';
import { makePasswordReset } from '#shared/core/members/reset-password.ts';
import { type Json, startTestApi, type TestApi } from '#test/support/api/api.ts';
import {
  type Browser,
  claimApi,
  openBrowser,
  password,
  type SignedInMember,
  signedIn,
} from '#test/support/browser/dashboard.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
});
afterAll(() => api.close());

async function onDatabase(statement: string): Promise<Json[]> {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The token after the `#` of a new link. */
async function invite(owner: Browser, email: string, role = 'viewer'): Promise<string> {
  const { status, body } = await owner.ask('/dashboard/api/invites', { body: { email, role } });
  expect(status).toBe(201);
  expect(body.link).toMatch(/^http:\/\/[^/]+\/invite#token=\w{32}$/);
  return body.link.split('=')[1];
}

const accept = (token: string, browser = openBrowser(api), more: object = { name: 'New Person', password }) =>
  browser.ask('/dashboard/api/invite', { body: { token, ...more } });

async function rolesOf(owner: Browser): Promise<string[]> {
  const { body } = await owner.ask('/dashboard/api/members');
  return body.data.map(({ email, role }: Json) => `${email} ${role}`);
}

it('creates one owner from two concurrent claims and invalidates the link', async () => {
  const own = await startTestApi({}, { openDatabase: ownDatabase });
  try {
    const token = await makeClaimToken(own.ctx.core);
    expect((await openBrowser(own).ask('/dashboard/api/claim/check', { body: { token } })).body).toEqual({
      valid: true,
    });
    const claim = (email: string) =>
      openBrowser(own).ask('/dashboard/api/claim', {
        body: { token, name: 'First', email: `${email}@example.test`, password },
      });
    const answers = await Promise.all(['a', 'b', 'c'].map(claim));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404, 404]);
    expect(answers.find(({ status }) => status === 404)?.body.code).toBe('link_not_valid');
    expect((await openBrowser(own).ask('/dashboard/api/claim/check', { body: { token } })).body).toEqual({
      valid: false,
    });
    expect(await makeClaimToken(own.ctx.core)).toBeNull();
  } finally {
    await own.close();
  }
});

it('replaces the previous claim link with a new one, and stores neither token', async () => {
  const own = await startTestApi({}, { openDatabase: ownDatabase });
  try {
    const first = (await makeClaimToken(own.ctx.core)) ?? '';
    const second = (await makeClaimToken(own.ctx.core)) ?? '';
    expect([await checkClaim(own.ctx.core, first), await checkClaim(own.ctx.core, second)]).toEqual([false, true]);
    const client = new pg.Client({ connectionString: own.databaseUrl });
    await client.connect();
    const { rows } = await client.query('select c::text as row from auth.claim as c');
    await client.end();
    expect(JSON.stringify(rows)).not.toContain(second);
    await claimApi(own);
    expect(await checkClaim(own.ctx.core, second)).toBe(false);
  } finally {
    await own.close();
  }
});

it('creates a user with the invited role once; an existing user joins another account by signing in', async () => {
  const owner = await signedIn(api, 'owner', 'inviting');
  const token = await invite(owner, 'New@Example.test', 'member');
  expect((await openBrowser(api).ask('/dashboard/api/invite/check', { body: { token } })).body).toEqual({
    account_name: 'inviting',
    email: 'new@example.test',
    role: 'member',
  });
  const person = openBrowser(api);
  expect((await accept(token, person)).status).toBe(201);
  expect((await person.ask('/dashboard/api/session')).body.accounts).toMatchObject([
    { id: owner.account, role: 'member' },
  ]);
  expect(await accept(token)).toMatchObject({ status: 404, body: { code: 'link_not_valid' } });

  const another = await signedIn(api, 'owner', 'inviting too');
  const second = await invite(another, 'new@example.test', 'viewer');
  // The link reveals nothing of the other account, and not even that the user exists.
  expect((await openBrowser(api).ask('/dashboard/api/invite/check', { body: { token: second } })).body).toEqual({
    account_name: 'inviting too',
    email: 'new@example.test',
    role: 'viewer',
  });
  const wrong = { name: 'New', password: 'not the password of this user' };
  expect(await accept(second, openBrowser(api), wrong)).toMatchObject({
    status: 401,
    body: { code: 'wrong_password' },
  });
  expect(await accept(second, owner, {})).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  expect((await accept(second, person, {})).status).toBe(201);
  expect((await person.ask('/dashboard/api/session')).body.accounts).toHaveLength(2);
  expect((await person.ask('/dashboard/api/overview')).body.code).toBe('validation_failed');
});

it('accepts an invitation once when two people accept it concurrently, and leaves no extra user', async () => {
  const owner = await signedIn(api, 'owner', 'raced');
  const token = await invite(owner, 'raced@example.test');
  const answers = await Promise.all([accept(token), accept(token), accept(token)]);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await onDatabase(`select from auth.users where email = 'raced@example.test'`)).toHaveLength(1);
  expect(await rolesOf(owner)).toHaveLength(2);
});

it('ends an invitation after a week, when it is withdrawn, and when a newer one exists', async () => {
  const owner = await signedIn(api, 'owner', 'ending');
  const replaced = await invite(owner, 'late@example.test');
  const expired = await invite(owner, 'late@example.test');
  const { body } = await owner.ask('/dashboard/api/invites');
  expect(body.data).toMatchObject([{ email: 'late@example.test', role: 'viewer', invited_by: 'A owner' }]);
  const days = (Date.parse(body.data[0].expires_at) - Date.parse(body.data[0].created_at)) / 86_400_000;
  expect(days).toBeCloseTo(7, 1);
  await onDatabase(`update auth.invitations set expires_at = now() where email = 'late@example.test'`);
  const withdrawn = await invite(owner, 'other@example.test');
  const open = (await owner.ask('/dashboard/api/invites')).body.data;
  expect(open).toHaveLength(1);
  expect((await owner.ask(`/dashboard/api/invites/${open[0].id}`, { method: 'DELETE' })).status).toBe(204);
  for (const token of [replaced, expired, withdrawn]) expect(await accept(token)).toMatchObject({ status: 404 });
});

it('neither removes nor demotes the last owner, even when two owners try concurrently', async () => {
  const owner = await signedIn(api, 'owner', 'owned');
  const alone = [
    await owner.ask(`/dashboard/api/members/${owner.userId}`, { method: 'PATCH', body: { role: 'viewer' } }),
    await owner.ask(`/dashboard/api/members/${owner.userId}`, { method: 'DELETE' }),
  ];
  for (const answer of alone) expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  const other = await signedIn(api, 'owner', 'owned');
  const remove = (by: SignedInMember, whom: SignedInMember) =>
    by.ask(`/dashboard/api/members/${whom.userId}`, { method: 'DELETE' });
  await Promise.all([remove(owner, other), remove(other, owner)]);
  const owners = await onDatabase(
    `select from auth.members as m join auth.organizations as o on o.id = m.organization_id where o.name = 'owned' and m.role = 'owner'`,
  );
  expect(owners).toHaveLength(1);
});

it('applies removals and role downgrades immediately', async () => {
  const owner = await signedIn(api, 'owner', 'changing');
  const member = await signedIn(api, 'member', 'changing');
  const register = () =>
    member.ask('/dashboard/api/v1/shipments', {
      body: {
        transport_mode: 'ocean',
        carrier: 'MAEU',
        identifiers: { mbl: `MAEU${Math.random().toString().slice(2, 11)}` },
      },
    });
  expect((await register()).status).toBe(201);
  const changed = await owner.ask(`/dashboard/api/members/${member.userId}`, {
    method: 'PATCH',
    body: { role: 'viewer' },
  });
  expect(changed.body).toMatchObject({ id: member.userId, role: 'viewer', you: false });
  expect(await register()).toMatchObject({ status: 403, body: { code: 'role_not_allowed' } });
  const elsewhere = await signedIn(api, 'owner', 'changing elsewhere');
  await accept(await invite(elsewhere, member.email), member, {});
  const remove = (by: SignedInMember) => by.ask(`/dashboard/api/members/${member.userId}`, { method: 'DELETE' });
  expect((await remove(owner)).status).toBe(204);
  expect(await member.ask('/dashboard/api/v1/shipments')).toMatchObject({
    status: 404,
    body: { code: 'account_not_found' },
  });
  expect((await member.ask('/dashboard/api/session')).body.accounts).toMatchObject([{ id: elsewhere.account }]);
  expect((await remove(elsewhere)).status).toBe(204);
  expect((await member.ask('/dashboard/api/session')).status).toBe(401);
});

it('records who made each change in the audit log: a user or a key', async () => {
  const owner = await signedIn(api, 'owner', 'audited');
  await invite(owner, 'audited@example.test', 'member');
  const key = await owner.ask('/dashboard/api/v1/api-keys', {
    body: { name: 'from the dashboard', scopes: ['shipments:read'] },
  });
  expect(key.status).toBe(201);
  const { body } = await owner.ask('/dashboard/api/audit?limit=1');
  expect(body.data).toMatchObject([
    {
      action: 'api_key.created',
      actor: owner.userId,
      actor_name: 'A owner',
      subject_type: 'api_key',
      subject_id: key.body.api_key_id,
    },
  ]);
  expect(body.page).toMatchObject({ limit: 1, has_more: true });
  const rest = await owner.ask(`/dashboard/api/audit?cursor=${encodeURIComponent(body.page.next_cursor)}`);
  expect(rest.body.data).toMatchObject([
    { action: 'invite.created', actor: owner.userId, detail: { email: 'audited@example.test' } },
    { action: 'session.started', actor: owner.userId },
  ]);
  expect(await owner.ask('/dashboard/api/audit?cursor=x')).toMatchObject({
    status: 400,
    body: { code: 'invalid_cursor' },
  });
});

it('keeps one invitation open of two concurrent ones for the same address', async () => {
  const owner = await signedIn(api, 'owner', 'crossing');
  const first = new pg.Client({ connectionString: api.databaseUrl });
  await first.connect();
  await first.query('begin');
  await first.query('select from auth.organizations where id = $1 for no key update', [owner.accountId]);
  await first.query(
    `insert into auth.invitations (organization_id, email, role, token_hash, expires_at, inviter_id)
     select organization_id, 'crossing@example.test', 'owner', '\\x00', now() + interval '1 day', user_id from auth.members where organization_id = $1`,
    [owner.accountId],
  );
  const second = invite(owner, 'crossing@example.test');
  const waits = expect.poll(() =>
    onDatabase(`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%auth.organizations%'`),
  );
  await Promise.race([second, waits.toHaveLength(1)]);
  await first.query('commit');
  await first.end();
  await second;
  expect((await owner.ask('/dashboard/api/invites')).body.data).toMatchObject([
    { email: 'crossing@example.test', role: 'viewer' },
  ]);
});

const changed = 'another password of tests';
const reset = (token: string) => openBrowser(api).ask('/dashboard/api/reset', { body: { token, password: changed } });
const signInWith = (email: string, secret: string) =>
  openBrowser(api).ask('/dashboard/api/auth/sign-in/email', { body: { email, password: secret } });

it('accepts a password reset link once, ends the old password and every session, and shows it in the owners’ audit log', async () => {
  const owner = await signedIn(api, 'owner', 'forgetting');
  const member = await signedIn(api, 'member', 'forgetting');
  const token = await makePasswordReset(api.ctx.core, member.email.toUpperCase(), 'req_script');
  expect((await openBrowser(api).ask('/dashboard/api/reset/check', { body: { token } })).body).toEqual({
    name: 'A member',
    email: member.email,
  });
  // Until the link is used, nothing changes.
  expect((await member.ask('/dashboard/api/session')).status).toBe(200);
  expect((await signInWith(member.email, password)).status).toBe(200);
  const answers = await Promise.all([reset(token), reset(token), reset(token)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
  expect(answers.find(({ status }) => status === 404)?.body.code).toBe('link_not_valid');
  expect((await member.ask('/dashboard/api/session')).status).toBe(401);
  expect((await owner.ask('/dashboard/api/session')).status).toBe(200);
  expect((await signInWith(member.email, password)).status).toBe(401);
  expect((await signInWith(member.email, changed)).status).toBe(200);
  const { body } = await owner.ask('/dashboard/api/audit');
  const resets = body.data.filter(({ action }: { action: string }) => action.startsWith('password_reset.'));
  expect(resets).toMatchObject([
    { actor: member.userId, action: 'password_reset.used', subject_id: member.userId, detail: { email: member.email } },
    { actor: 'system', action: 'password_reset.created', subject_id: member.userId, request_id: 'req_script' },
  ]);
});

it('ends a reset link when it expires or a newer one exists, does not store its token, and creates none for unknown addresses', async () => {
  const { email, ask } = await signedIn(api, 'member', 'forgetting again');
  const first = await makePasswordReset(api.ctx.core, email, 'req_script');
  const second = await makePasswordReset(api.ctx.core, email, 'req_script');
  expect((await reset(first)).body.code).toBe('link_not_valid');
  expect(JSON.stringify(await onDatabase('select v::text as row from auth.verifications as v'))).not.toContain(second);
  await onDatabase(`update auth.verifications set expires_at = now() where identifier like 'password-reset:%'`);
  expect((await reset(second)).body.code).toBe('link_not_valid');
  expect((await reset('x'.repeat(32))).body.code).toBe('link_not_valid');
  expect((await ask('/dashboard/api/session')).status).toBe(200);
  await expect(makePasswordReset(api.ctx.core, 'nobody@example.test', 'req_script')).rejects.toMatchObject({
    code: 'member_not_found',
  });
});

it('keeps link tokens out of every request log line', async () => {
  const owner = await signedIn(api, 'owner', 'logged');
  const token = await invite(owner, 'logged@example.test');
  await openBrowser(api).ask('/dashboard/api/invite/check', { body: { token } });
  await accept(token);
  const reset = await makePasswordReset(api.ctx.core, owner.email, 'req_script');
  await openBrowser(api).ask('/dashboard/api/reset/check', { body: { token: reset } });
  await openBrowser(api).ask('/dashboard/api/reset', { body: { token: reset, password: 'another long password' } });
  const claim = 'c'.repeat(32);
  await openBrowser(api).ask('/dashboard/api/claim/check', { body: { token: claim } });
  for (const path of ['invite/check', 'reset/check', 'reset', 'claim/check'])
    expect(
      api.logLines.some((line) => line.includes(`/dashboard/api/${path}`)),
      path,
    ).toBe(true);
  expect(api.logLines.filter((line) => [token, reset, claim].some((secret) => line.includes(secret)))).toEqual([]);
});
