import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expireRecords } from '#shared/core/installation/expire-records.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import {
  authorizeUrl,
  connect,
  consent,
  listTools,
  newPkce,
  openAuthorize,
  redeem,
  redirectUri,
  refresh,
  registerClient,
  requestOf,
  startOauthApi,
} from '#test/support/oauth/oauth-api.ts';
import { findMarker } from '#test/support/stores/find-marker.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { lastAskedBefore } from '#test/support/until.ts';

let api: TestApi;
let owner: SignedInMember;
let database: pg.Client;
let key: { id: string; secret: string };
beforeAll(async () => {
  api = await startOauthApi({}, { openDatabase: ownDatabase });
  owner = await signedIn(api, 'owner', api.accountName);
  database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await api.close();
});
beforeEach(async () => {
  key = await api.createKey();
});

const keyId = () => encodeTypeId('key', key.id);
const appsOf = async (id = keyId()) => (await owner.ask(`/dashboard/api/api-keys/${id}/apps`)).body.data;
const lastAudit = async () => (await owner.ask('/dashboard/api/audit?limit=1')).body.data[0];

/** Within the second in which a key that has ended must be refused. */
async function expectRefused(token: string): Promise<void> {
  const asked = () => listTools(api, token);
  expect(await lastAskedBefore(asked, ({ status }) => status === 401)).toBeLessThan(1000);
}

describe('a connected app', () => {
  it('gets an API key that lists the tools, and that no list of keys shows', async () => {
    const app = await connect(api, owner, keyId());
    expect(app.body).toMatchObject({ token_type: 'Bearer', scope: 'shipments:read offline_access' });
    expect(app.accessToken).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    expect(app.body.expires_in).toBeGreaterThan(3590);
    expect(app.body.expires_in).toBeLessThanOrEqual(3600);
    const { status, body } = await listTools(api, app.accessToken);
    expect([status, body.result.tools.length]).toEqual([200, 2]);
    const { body: keys } = await owner.ask('/dashboard/api/v1/api-keys?limit=100');
    expect(keys.data.map(({ prefix }: { prefix: string }) => prefix)).not.toContain(app.accessToken.slice(0, 13));
    expect(await appsOf()).toMatchObject([
      { name: 'Test app', verified_host: null, redirect_hosts: ['127.0.0.1:4321'], connected_by: 'A owner' },
    ]);
  });

  it('gets a test key from a test key', async () => {
    const test = await api.createKey({ test: true });
    const app = await connect(api, owner, encodeTypeId('key', test.id));
    expect(app.accessToken).toMatch(/^svc_test_/);
    const refreshed = await refresh(api, app);
    expect(refreshed.body.access_token).toMatch(/^svc_test_/);
  });

  it('is refused everywhere but at its endpoint', async () => {
    const { accessToken } = await connect(api, owner, keyId());
    for (const path of ['/v1/mcp', '/v1/shipments', '/v1/me', '/v1/api-keys', '/v1/mcp/oauth/more', '/v1']) {
      const answer = await listTools(api, accessToken, path);
      expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'invalid_api_key']);
    }
    expect((await listTools(api, accessToken)).status).toBe(200);
  });

  it('counts against the limit of its key, with all of its tokens', async () => {
    const limited = await startOauthApi(
      { REDIS_URL: '' },
      { limits: { mcp: 3 }, limitWindowS: 600, limitTimeoutMs: 20_000 },
    );
    try {
      const its = await signedIn(limited, 'owner', limited.accountName);
      const one = await limited.createKey();
      const app = await connect(limited, its, encodeTypeId('key', one.id));
      const next = await refresh(limited, app);
      const statuses: number[] = [];
      for (const token of [one.secret, app.accessToken, next.body.access_token, app.accessToken, one.secret])
        statuses.push((await listTools(limited, token)).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
    } finally {
      await limited.close();
    }
  });

  it('ends with its key: token and refresh are refused', async () => {
    const app = await connect(api, owner, keyId());
    expect((await listTools(api, app.accessToken)).status).toBe(200);
    expect((await owner.ask(`/dashboard/api/v1/api-keys/${keyId()}`, { method: 'DELETE' })).status).toBe(204);
    await expectRefused(app.accessToken);
    const refreshed = await refresh(api, app);
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
    expect((await lastAudit()).detail).toMatchObject({ app: 'Test app', reason: 'key_ended' });
  });

  it('ends with a key that expires, whose end its token has as its own', async () => {
    const short = await api.createKey({ expiresAt: new Date(Date.now() + 600_000).toISOString() });
    const app = await connect(api, owner, encodeTypeId('key', short.id));
    expect(app.body.expires_in).toBeLessThanOrEqual(600);
    await database.query(`update landfall.api_keys set expires_at = now() where id = $1`, [short.id]);
    await expectRefused(app.accessToken);
    expect((await refresh(api, app)).body.error).toBe('invalid_grant');
  });

  it('ends when the person who connected it is removed, though the key stays', async () => {
    const leaver = await signedIn(api, 'owner', api.accountName);
    const app = await connect(api, leaver, keyId());
    const removed = await owner.ask(`/dashboard/api/members/${leaver.userId}?revoke_keys=false`, { method: 'DELETE' });
    expect(removed.status).toBe(204);
    await expectRefused(app.accessToken);
    expect((await refresh(api, app)).body.error).toBe('invalid_grant');
    expect((await listTools(api, key.secret)).status).toBe(200);
    expect((await lastAudit()).detail).toMatchObject({ reason: 'member_removed' });
  });

  it('is disconnected without the others, and the audit log records it', async () => {
    const one = await connect(api, owner, keyId());
    const other = await connect(api, owner, keyId());
    const [latest] = await appsOf();
    expect((await owner.ask(`/dashboard/api/apps/${latest.id}`, { method: 'DELETE' })).status).toBe(204);
    await expectRefused(other.accessToken);
    expect((await refresh(api, other)).body.error).toBe('invalid_grant');
    expect((await listTools(api, one.accessToken)).status).toBe(200);
    expect((await appsOf()).length).toBe(1);
    expect(await lastAudit()).toMatchObject({
      action: 'app.disconnected',
      actor: owner.userId,
      detail: { reason: 'disconnected', key: keyId() },
    });
  });

  it('disconnects itself by revoking its refresh token', async () => {
    const app = await connect(api, owner, keyId());
    const body = new URLSearchParams({ client_id: app.clientId, token: app.refreshToken });
    expect((await fetch(`${api.url}/oauth2/revoke`, { method: 'POST', body })).status).toBe(200);
    await expectRefused(app.accessToken);
    expect(await appsOf()).toEqual([]);
    expect((await lastAudit()).detail).toMatchObject({ reason: 'revoked_by_app' });
  });

  it('leaves no token, code or secret in the database', async () => {
    const app = await connect(api, owner, keyId());
    for (const secret of [app.accessToken, app.refreshToken])
      expect(await findMarker(api.databaseUrl, secret)).toEqual([]);
  });
});

describe('a refresh token', () => {
  it('is replaced with each use, and a client that lost the answer gets it again', async () => {
    const app = await connect(api, owner, keyId());
    const first = await refresh(api, app);
    expect(first.body.refresh_token).not.toBe(app.refreshToken);
    expect((await listTools(api, first.body.access_token)).status).toBe(200);
    const retried = await refresh(api, app);
    expect([retried.status, retried.body.access_token]).toEqual([200, first.body.access_token]);
    const racing = await Promise.all(
      [1, 2, 3].map(() => refresh(api, { ...app, refreshToken: first.body.refresh_token })),
    );
    expect(new Set(racing.map(({ status, body }) => `${status} ${body.access_token}`)).size).toBe(1);
  });

  it('that was used before ends the app with all of its tokens', async () => {
    const app = await connect(api, owner, keyId());
    const next = await refresh(api, app);
    await database.query(
      'update auth.oauth_refresh_tokens set rotation_replay_expires_at = now() where client_id = $1',
      [app.clientId],
    );
    const reused = await refresh(api, app);
    expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
    await expectRefused(next.body.access_token);
    expect((await refresh(api, { ...app, refreshToken: next.body.refresh_token })).body.error).toBe('invalid_grant');
    expect(await appsOf()).toEqual([]);
    expect((await lastAudit()).detail).toMatchObject({ reason: 'refresh_token_reused' });
  });

  it('of another client, and one for another resource, is refused', async () => {
    const app = await connect(api, owner, keyId());
    const other = await registerClient(api);
    expect((await refresh(api, { ...app, clientId: other })).body.error).toBe('invalid_grant');
    const elsewhere = await refresh(api, app, { resource: 'https://other.example/mcp' });
    expect(elsewhere.body.error).toBe('invalid_target');
    expect((await refresh(api, app, { resource: `${api.url}/v1/mcp/oauth` })).status).toBe(200);
  });
});

describe('a code', () => {
  async function newCode(clientId: string) {
    const pkce = newPkce();
    const request = requestOf(await openAuthorize(authorizeUrl(api, clientId, pkce), owner));
    const { body } = await consent(owner, { request, keyId: keyId() });
    const location = new URL(body.location);
    return { location, code: location.searchParams.get('code') ?? '', verifier: pkce.verifier, clientId };
  }

  it('comes back with the state and the issuer', async () => {
    const { location } = await newCode(await registerClient(api));
    expect(`${location.origin}${location.pathname}`).toBe(redirectUri);
    expect(location.searchParams.get('state')).toBe('a-state');
    expect(location.searchParams.get('iss')).toBe(`${api.url}/v1/mcp/oauth`);
  });

  it('works once: a replay is refused and ends the app’s access', async () => {
    const code = await newCode(await registerClient(api));
    const first = await redeem(api, code);
    expect(first.status).toBe(200);
    const replayed = await redeem(api, code);
    expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant']);
    await expectRefused(first.body.access_token);
  });

  it('is refused with another verifier, redirect, client or resource, and without a verifier', async () => {
    const client = await registerClient(api, { redirect_uris: [redirectUri, 'https://app.example/cb'] });
    const other = await registerClient(api);
    const attempts: [string, Record<string, string>][] = [
      ['verifier', { code_verifier: newPkce().verifier }],
      ['no verifier', { code_verifier: '' }],
      ['redirect', { redirect_uri: 'https://app.example/cb' }],
      ['client', { client_id: other }],
      ['resource', { resource: 'https://other.example/mcp' }],
    ];
    for (const [name, more] of attempts) {
      const answer = await redeem(api, await newCode(client), more);
      expect([name, answer.status >= 400 && answer.status < 500, answer.body.access_token]).toEqual([
        name,
        true,
        undefined,
      ]);
    }
  });

  it('is refused after its app was disconnected', async () => {
    const code = await newCode(await registerClient(api));
    const [app] = await appsOf();
    await owner.ask(`/dashboard/api/apps/${app.id}`, { method: 'DELETE' });
    expect((await redeem(api, code)).body.error).toBe('invalid_grant');
  });
});

it('forgets clients that nobody connected, expired tokens and apps without one', async () => {
  const unused = await registerClient(api);
  const app = await connect(api, owner, keyId());
  await database.query(`update auth.oauth_clients set created_at = now() - interval '25 hours' where client_id = $1`, [
    unused,
  ]);
  await expireRecords(api.ctx.core);
  const clients = async () =>
    (await database.query('select client_id from auth.oauth_clients')).rows.map((row) => row.client_id);
  expect(await clients()).not.toContain(unused);
  expect(await clients()).toContain(app.clientId);
  await database.query(`
    update auth.oauth_refresh_tokens set expires_at = now() - interval '1 day';
    update auth.oauth_access_tokens set expires_at = now() - interval '1 day';
    update auth.oauth_consents set updated_at = now() - interval '1 day';`);
  await expireRecords(api.ctx.core);
  const { rows } = await database.query(`
    select (select count(*) from auth.oauth_refresh_tokens) + (select count(*) from auth.oauth_access_tokens) +
      (select count(*) from auth.oauth_consents) + (select count(*) from landfall.api_keys where parent_id is not null) as n`);
  expect(Number(rows[0].n)).toBe(0);
});
