import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKeyFor } from '#shared/core/keys/create-api-key.ts';
import { inviteMember } from '#shared/core/members/invites.ts';
import { removeMember } from '#shared/core/members/members.ts';
import { makePasswordReset } from '#shared/core/members/reset-password.ts';
import { type Caller, grantableScopes, scopes } from '#shared/domain/caller.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import type { Json, TestApi } from '#test/support/api/api.ts';
import { request } from '#test/support/api/http.ts';
import { openBrowser, password, type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { connect, listTools, startOauthApi } from '#test/support/oauth/oauth-api.ts';
import { until } from '#test/support/until.ts';

let api: TestApi;
let admin: pg.Client;
beforeAll(async () => {
  api = await startOauthApi();
  admin = new pg.Client({ connectionString: api.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await api.close();
});

/**
 * Every column that can name a person or something a person made, and what it holds of one who left: nothing (`gone`),
 * only rows that open nothing (`dead`: none of them fulfills the condition), or the history of the account (`history`).
 */
const namedBy: Record<string, 'gone' | 'history' | { dead: string }> = {
  // The user may be a member of other accounts. Signed in again, this one sees none.
  'auth.users.id': 'history',
  'auth.users.email': 'history',
  'auth.users.email_verified': 'history',
  'auth.logins.user_id': 'history',
  'auth.logins.account_id': 'history',
  'auth.members.user_id': 'gone',
  'auth.sessions.user_id': 'gone',
  'auth.verifications.value': 'gone',
  'auth.invitations.id': { dead: `status = 'pending'` },
  'auth.invitations.inviter_id': { dead: `status = 'pending'` },
  'auth.invitations.email': { dead: `status = 'pending'` },
  'auth.oauth_clients.user_id': 'gone',
  'auth.oauth_consents.user_id': 'gone',
  'auth.oauth_consents.account_id': 'gone',
  'auth.oauth_consents.key_id': 'gone',
  'auth.oauth_consents.reference_id': 'gone',
  'auth.oauth_refresh_tokens.user_id': 'gone',
  'auth.oauth_refresh_tokens.reference_id': 'gone',
  'auth.oauth_access_tokens.user_id': 'gone',
  'auth.oauth_access_tokens.reference_id': 'gone',
  'landfall.api_keys.account_id': 'history',
  'landfall.api_keys.parent_id': 'gone',
  'landfall.api_keys.id': { dead: 'revoked_at is null' },
  'landfall.api_keys.key_hash': { dead: 'revoked_at is null' },
  'landfall.api_keys.created_by': { dead: 'revoked_at is null' },
  'landfall.api_keys.made_with': { dead: 'revoked_at is null' },
  'landfall.api_keys.rotated_to': { dead: 'revoked_at is null' },
  'landfall.audit.actor': 'history',
  'landfall.audit.subject_id': 'history',
  'landfall.audit.detail': 'history',
  'landfall.imports.key_id': 'history',
  // Notes stay with the name of their author. What was assigned is released by a job.
  'landfall.account_members.user_id': 'history',
  'landfall.notes.user_id': 'history',
  'landfall.notes.key_id': 'history',
  'landfall.notes.mentions': 'history',
  'landfall.notes.text': 'history',
  'landfall.shipments.assignee_id': 'history',
  // The action stops with its next part.
  'landfall.bulk_actions.started_by': 'history',
  // A page of the account, which the people with its link keep.
  'landfall.shares.created_by': 'history',
  // A view that was shared stays with the account, without its owner.
  'landfall.saved_views.account_id': 'history',
  'landfall.saved_views.owner_id': 'gone',
  'landfall.alert_preferences.account_id': 'history',
  'landfall.alert_preferences.user_id': 'gone',
  'landfall.alert_channels.user_id': 'gone',
  'landfall.alerts.user_id': 'gone',
  'landfall.alert_entries.user_id': 'gone',
  'landfall.alert_mailboxes.user_id': 'gone',
  'landfall.alert_messages.user_id': 'gone',
  // The client's own key of a request, not an API key.
  'landfall.idempotency.key': 'history',
  'landfall.imports.idempotency_key': 'history',
  // Usage of a key or user within the last minute.
  'landfall.limit_counts.key': 'history',
};

/** Columns that refer to a user, a member or a key, or are named like one. Tables of a day are left to their parent. */
const columnsOfPeople = `
  select n.nspname || '.' || c.relname || '.' || a.attname as name
  from pg_class as c
    join pg_namespace as n on n.oid = c.relnamespace
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where n.nspname in ('landfall', 'auth') and c.relkind in ('r', 'p') and not c.relispartition
    and (
      exists (
        select from pg_constraint as k
        where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey)
          and k.confrelid in ('auth.users'::regclass, 'auth.members'::regclass, 'landfall.api_keys'::regclass)
      )
      or a.attname ~ '(^|_)(user|member|person|people|inviter|creator|author|actor|owner|maker|email|key)(_id|_hash|_verified)?$'
      or a.attname ~ '(_by|made_with|rotated_to)$'
    )`;

/** Other columns with such names, which hold nothing of people. */
const notOfPeople =
  /^(?:auth\.oauth_resources\.signing_key_id|landfall\.((?:former_)?events\.superseded_by|events\.dedupe_key|shipment_identifiers\.key|alert_(?:entries|notices)\.key|shipments\.map_key|token_buckets\.key))$/;

async function listedColumns(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(columnsOfPeople);
  return rows.map(({ name }) => name).filter((name) => !notOfPeople.test(name));
}

/** The columns of all tables whose text contains one of the marks. */
async function columnsWith(marks: readonly string[]): Promise<Set<string>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select c.relnamespace::regnamespace::text || '.' || c.relname as name from pg_class as c
    where c.relnamespace in ('landfall'::regnamespace, 'auth'::regnamespace) and c.relkind = 'r'`,
  );
  const found = new Set<string>();
  for (const { name } of tables) {
    const { rows } = await admin.query<{ column: string }>(
      `select distinct e.key as column from ${name} as t, jsonb_each_text(to_jsonb(t)) as e
      where e.value ilike any ($1)`,
      [marks.map((mark) => `%${mark}%`)],
    );
    for (const { column } of rows) found.add(`${name}.${column}`);
  }
  return found;
}

const remove = (by: SignedInMember, whom: SignedInMember, query = '') =>
  by.ask(`/dashboard/api/members/${whom.userId}${query}`, { method: 'DELETE' });

const newKey = async (by: SignedInMember, body: object = {}): Promise<Json> =>
  (await by.ask('/dashboard/api/v1/api-keys', { body: { name: 'made', scopes: grantableScopes, ...body } })).body;

const statusWith = async (key: string) => (await request(`${api.url}/v1/me`, { key })).status;

it('removes all access of a leaver: sessions, keys, invitations, links and open rows of anything a person can make', async () => {
  const owner = await signedIn(api, 'owner', 'left');
  const leaver = await signedIn(api, 'owner', 'left');
  const other = openBrowser(api, { 'landfall-account': leaver.account });
  await other.ask('/dashboard/api/auth/sign-in/email', { body: { email: leaver.email, password } });
  const byHand = await newKey(leaver);
  const forTests = await newKey(leaver, { test: true });
  const rotated = await leaver.ask(`/dashboard/api/v1/api-keys/${(await newKey(leaver)).api_key_id}/rotate`, {
    body: {},
  });
  const send = (path: string, body: object, method = 'POST') =>
    request(api.url + path, { method, key: byHand.secret, body });
  const byKey = (await send('/v1/api-keys', { name: 'made with a key', scopes: grantableScopes })).body;
  const grandchild = await request(`${api.url}/v1/api-keys`, {
    method: 'POST',
    key: byKey.secret,
    body: { name: 'third' },
  });
  await send('/v1/shipments', { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } });
  await send('/v1/carriers/MAEU/credentials', { client_id: 'theirs', client_secret: 'secret' }, 'PUT');
  await fetch(`${api.url}/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${byHand.secret}`, 'content-type': 'application/x-ndjson' },
    body: '{}\n',
  });
  const note = { text: `@${leaver.userId}` };
  const { data: found } = (await leaver.ask('/dashboard/api/v1/shipments')).body;
  const shipment = `/dashboard/api/v1/shipments/${found[0].shipment_id}`;
  await leaver.ask(`${shipment}/notes`, { body: note });
  await leaver.ask(shipment, { method: 'PATCH', body: { assignee: leaver.userId } });
  const invited = await leaver.ask('/dashboard/api/invites', { body: { email: 'friend@example.test', role: 'owner' } });
  const invitation = invited.body.link.split('=')[1];
  for (const shared of [true, false]) {
    const view = { name: `shared: ${shared}`, shared, search: {}, filter: {}, sort: '-updated_at' };
    const { id } = (await leaver.ask('/dashboard/api/saved-views', { body: view })).body;
    const alert = { view_id: id, rules: { enters: true }, channels: ['email'], timing: 'daily' };
    expect((await leaver.ask('/dashboard/api/alerts', { body: alert })).status).toBe(201);
  }
  const app = await connect(api, leaver, byHand.api_key_id);
  await makePasswordReset(api.ctx.core, leaver.email, 'req_test');
  const keys = [byHand, forTests, rotated.body, byKey, grandchild.body].map(({ secret }) => secret);
  for (const key of keys) expect(await statusWith(key)).toBe(200);
  const shown = await owner.ask(`/dashboard/api/members/${leaver.userId}/keys`);
  expect(shown.body.data.map(({ last_four }: Json) => last_four)).toEqual(
    expect.arrayContaining(keys.map((secret) => secret.slice(-4))),
  );

  expect(await listedColumns()).toSatisfy((names: string[]) => {
    expect(names.filter((name) => !(name in namedBy))).toEqual([]);
    return names.length > 10;
  });
  const { rows: made } = await admin.query<{ id: string }>(
    `select id::text from landfall.api_keys where account_id = $1 union all select id::text from auth.invitations where organization_id = $1`,
    [leaver.accountId],
  );
  const uuid = decodeTypeId('user', leaver.userId) ?? '';
  const person = [uuid, leaver.userId, leaver.email];
  const marks = [...person, ...made.map(({ id }) => id)];
  expect([...(await columnsWith(marks))].filter((column) => !(column in namedBy))).toEqual([]);

  expect((await remove(owner, leaver, '?revoke_keys=true')).status).toBe(204);
  for (const key of keys)
    await until(
      () => statusWith(key),
      (status) => status === 401,
    );
  await until(
    () => listTools(api, app.accessToken),
    ({ status }) => status === 401,
  );
  for (const browser of [leaver, other]) expect((await browser.ask('/dashboard/api/session')).status).toBe(401);
  const accept = { token: invitation, name: 'A Friend', password };
  expect((await openBrowser(api).ask('/dashboard/api/invite', { body: accept })).body.code).toBe('link_not_valid');
  const left = await columnsWith(marks);
  for (const [column, state] of Object.entries(namedBy)) {
    if (state === 'gone') expect(left).not.toContain(column);
    if (typeof state !== 'object') continue;
    const [schema, table, name] = column.split('.');
    const { rows } = await admin.query(
      `select from ${schema}.${table} where ${name}::text = any ($1) and ${state.dead}`,
      [marks],
    );
    expect({ column, rows }).toEqual({ column, rows: [] });
  }
  expect((await owner.ask('/dashboard/api/invites')).body.data).toEqual([]);
  expect((await owner.ask('/dashboard/api/saved-views')).body.data).toMatchObject([{ name: 'shared: true' }]);
  const again = await other.ask('/dashboard/api/auth/sign-in/email', { body: { email: leaver.email, password } });
  expect(again.status).toBe(200);
  expect((await other.ask('/dashboard/api/session')).body.accounts).toEqual([]);
});

it('finds a new column that names a person, under any name', async () => {
  await admin.query('begin');
  await admin.query(
    'create table landfall.planted (account_id uuid, reviewer uuid references auth.users (id), asked_by text)',
  );
  const added = (await listedColumns()).filter((name) => name.startsWith('landfall.planted'));
  await admin.query('rollback');
  expect(added.toSorted()).toEqual(['landfall.planted.asked_by', 'landfall.planted.reviewer']);
});

it("keeps a leaver's keys unless they are to be revoked, and shows them to owners only", async () => {
  const owner = await signedIn(api, 'owner', 'keeping');
  const leaver = await signedIn(api, 'owner', 'keeping');
  const viewer = await signedIn(api, 'viewer', 'keeping');
  const { secret } = await newKey(leaver);
  const keysOf = (by: SignedInMember) => by.ask(`/dashboard/api/members/${leaver.userId}/keys`);
  expect((await keysOf(viewer)).body.code).toBe('role_not_allowed');
  expect((await keysOf(await signedIn(api, 'owner', 'another'))).body.code).toBe('member_not_found');
  expect((await keysOf(owner)).body.data).toMatchObject([{ name: 'made', last_four: secret.slice(-4) }]);
  expect((await remove(owner, leaver)).status).toBe(204);
  expect(await statusWith(secret)).toBe(200);
});

it('revokes a key that is made while its maker is removed, or refuses to make it', async () => {
  const owner = await signedIn(api, 'owner', 'racing');
  const { core } = api.ctx;
  for (let round = 0; round < 3; round++) {
    const leaver = await signedIn(api, 'owner', 'racing');
    const userId = decodeTypeId('user', leaver.userId) ?? '';
    const caller: Caller = {
      accountId: leaver.accountId,
      keyId: null,
      userId,
      scopes,
      test: false,
      requestId: 'r',
      idempotency: null,
    };
    const parent = await createApiKeyFor(core, caller, { name: 'parent', scopes, expiresAt: null });
    const wanted = { name: 'late', scopes, expiresAt: null };
    const { userId: _, ...byKey } = { ...caller, keyId: parent.id };
    const by: Caller = { ...caller, userId: decodeTypeId('user', owner.userId) ?? '' };
    await Promise.allSettled([
      createApiKeyFor(core, caller, wanted),
      createApiKeyFor(core, byKey, wanted),
      removeMember(core, by, { userId, revokeKeys: true }),
      createApiKeyFor(core, byKey, wanted),
      createApiKeyFor(core, caller, wanted),
    ]);
    const { rows } = await admin.query(
      `select name from landfall.api_keys where account_id = $1 and revoked_at is null`,
      [leaver.accountId],
    );
    expect(rows).toEqual([]);
    // Requests that were admitted before the removal.
    await expect(createApiKeyFor(core, caller, wanted)).rejects.toMatchObject({ code: 'account_not_found' });
    await expect(createApiKeyFor(core, byKey, wanted)).rejects.toMatchObject({ code: 'revoked_api_key' });
    const late = inviteMember(core, { ...caller, userId }, { email: 'late@example.test', role: 'owner' });
    await expect(late).rejects.toMatchObject({ code: 'account_not_found' });
  }
});

it('ends the invitations of an owner who is demoted', async () => {
  const owner = await signedIn(api, 'owner', 'demoting');
  const demoted = await signedIn(api, 'owner', 'demoting');
  await demoted.ask('/dashboard/api/invites', { body: { email: 'second-self@example.test', role: 'owner' } });
  await owner.ask(`/dashboard/api/members/${demoted.userId}`, { method: 'PATCH', body: { role: 'member' } });
  expect((await owner.ask('/dashboard/api/invites')).body.data).toEqual([]);
});
