import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { openBrowser, type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import {
  authorizeUrl,
  consent,
  newPkce,
  openAuthorize,
  postForm,
  postJson,
  registerClient,
  requestOf,
  startOauthApi,
} from '#test/support/oauth/oauth-api.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
let owner: SignedInMember;
let clientId: string;
let keyId: string;
beforeAll(async () => {
  api = await startOauthApi({}, { openDatabase: ownDatabase });
  owner = await signedIn(api, 'owner', api.accountName);
  clientId = await registerClient(api);
  keyId = encodeTypeId('key', (await api.createKey()).id);
});
afterAll(() => api.close());

const pkce = newPkce();
const authorize = (more: Record<string, string | null> = {}, id = clientId) =>
  openAuthorize(authorizeUrl(api, id, pkce, more), owner);
const newRequest = async () => requestOf(await authorize());

describe('an authorization request', () => {
  it.each([
    ['without PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['for another scope', { scope: 'keys:manage' }, 'invalid_scope'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['without a page', { prompt: 'none' }, 'consent_required'],
  ])('goes back to the app with an error and the issuer: %s', async (_name, more, error) => {
    const location = new URL(await authorize(more));
    expect(`${location.origin}${location.pathname}`).toBe('http://127.0.0.1:4321/callback');
    // A response type that has a token asks for the answer in the fragment.
    const answer = location.hash === '' ? location.searchParams : new URLSearchParams(location.hash.slice(1));
    expect([answer.get('error'), answer.get('code'), answer.get('iss')]).toEqual([
      error,
      null,
      `${api.url}/v1/mcp/oauth`,
    ]);
  });

  it.each([
    'https://evil.example/callback',
    'http://127.0.0.1:4321/callback/../other',
    'http://127.0.0.1:4321/callback?more=1',
    'http://127.0.0.1:4321/callback#part',
    'http://user@127.0.0.1:4321/callback',
    'http://127.0.0.1.evil.example:4321/callback',
    'http://localhost:4321/callback',
    '//evil.example/callback',
    'javascript:alert(1)',
    'https://evil.example\\@127.0.0.1/callback',
  ])('stays with the dashboard when the redirect is not the registered one: %s', async (uri) => {
    expect(await authorize({ redirect_uri: uri })).toMatch(/^\/connect#error=\w+$/);
  });

  it('may use any port of the registered loopback address (RFC 8252)', async () => {
    expect(await authorize({ redirect_uri: 'http://127.0.0.1:50123/callback' })).toMatch(/^\/connect#request=/);
  });

  it('with a NUL or twice the same parameter is refused', async () => {
    expect(await authorize({ client_id: 'a\0b' })).toMatch(/^\/connect#error=/);
    expect(await openAuthorize(`${authorizeUrl(api, clientId, pkce)}&client_id=${clientId}`, owner)).toMatch(
      /^\/connect#error=/,
    );
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: 'a\0b' });
    expect((await postForm(`${api.url}/oauth2/token`, form)).status).toBe(400);
  });

  it('of an unknown client, and without one, stays with the dashboard', async () => {
    expect(await authorize({}, 'nobody')).toBe('/connect#error=invalid_client');
    expect(await authorize({ client_id: null })).toMatch(/^\/connect#error=/);
    expect(await authorize({ client_id: 'http://app.example/client.json' })).toBe('/connect#error=invalid_client');
  });

  it('of a client whose document is at a private address, or is unreachable, stays with the dashboard', async () => {
    for (const id of [
      'https://127.0.0.1/client.json',
      'https://[::1]/c.json',
      'https://169.254.169.254/latest/meta',
      'https://app.example/client.json',
    ])
      expect(await authorize({}, id)).toMatch(/^\/connect#error=invalid_client$/);
  });

  it('is never framed, stored or sent to the next site', async () => {
    const response = await fetch(authorizeUrl(api, clientId, pkce), { redirect: 'manual' });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });
});

describe('consent', () => {
  it('shows who asks, as a stranger’s text', async () => {
    const name = '<img src=x onerror=alert(1)>\u202Eevil\u0000 [link](https://evil.example)';
    const id = await registerClient(api, { client_name: name });
    const request = requestOf(await authorize({}, id));
    const { status, body } = await owner.ask('/dashboard/api/app-requests/read', { body: { request } });
    expect([status, body]).toMatchObject([
      200,
      {
        name: '<img src=x onerror=alert(1)>evil [link](https://evil.example)',
        verified_host: null,
        redirect_host: '127.0.0.1:4321',
      },
    ]);
  });

  it('takes only keys of the account that the person owns', async () => {
    const other = await signedIn(api, 'owner', `another account ${randomUUID()}`);
    const theirs = await other.ask('/dashboard/api/v1/api-keys', { body: { name: 'theirs' } });
    const refused = await consent(owner, { request: await newRequest(), keyId: theirs.body.api_key_id });
    expect([refused.status, refused.body.code]).toEqual([404, 'api_key_not_found']);
  });

  it('takes only valid keys that can read shipments', async () => {
    const writer = await api.createKey({ scopes: ['shipments:write'] });
    const refused = await consent(owner, { request: await newRequest(), keyId: encodeTypeId('key', writer.id) });
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    const { id } = await api.createKey();
    await owner.ask(`/dashboard/api/v1/api-keys/${encodeTypeId('key', id)}`, { method: 'DELETE' });
    const ended = await consent(owner, { request: await newRequest(), keyId: encodeTypeId('key', id) });
    expect([ended.status, ended.body.code]).toEqual([409, 'invalid_state']);
  });

  it.each(['member', 'viewer'] as const)('is not given by a %s', async (role) => {
    const person = await signedIn(api, role, api.accountName);
    const refused = await consent(person, { request: await newRequest(), keyId });
    expect([refused.status, refused.body.code]).toEqual([403, 'role_not_allowed']);
  });

  it('is not given from another site, without a session, or for a request that was changed', async () => {
    const request = await newRequest();
    const path = '/dashboard/api/app-requests/allow';
    const body = { request, api_key_id: keyId };
    const foreign = await owner.ask(path, {
      body,
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'origin_not_allowed']);
    expect((await openBrowser(api).ask(path, { body })).status).toBe(401);
    const changed = new URLSearchParams(request);
    changed.set('redirect_uri', 'https://evil.example/callback');
    const refused = await consent(owner, { request: changed.toString(), keyId });
    expect([refused.status, refused.body.code]).toEqual([404, 'link_not_valid']);
    const later = new URLSearchParams(request);
    later.set('exp', String(Number(later.get('exp')) + 86_400));
    expect((await consent(owner, { request: later.toString(), keyId })).status).toBe(404);
  });

  it('that is denied goes back to the app without a code', async () => {
    const denied = await owner.ask('/dashboard/api/app-requests/deny', { body: { request: await newRequest() } });
    const location = new URL(denied.body.location);
    expect(location.origin + location.pathname).toBe('http://127.0.0.1:4321/callback');
    expect([location.searchParams.get('error'), location.searchParams.get('code')]).toEqual(['access_denied', null]);
  });
});

describe('registration', () => {
  const register = (body: unknown) => postJson(`${api.url}/oauth2/register`, body);

  it('gives a public client without a secret, whatever it asks for', async () => {
    const { status, body, headers } = await register({
      redirect_uris: ['https://app.example/cb'],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      skip_consent: true,
      scope: 'keys:manage',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    });
    expect(body.client_secret).toBeUndefined();
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['a script', ['javascript:alert(1)']],
    ['plain HTTP elsewhere', ['http://app.example/cb']],
    ['a fragment', ['https://app.example/cb#part']],
    ['credentials', ['https://user:pass@app.example/cb']],
    ['a data URL', ['data:text/html,hi']],
    ['no redirect', []],
    ['eleven redirects', Array.from({ length: 11 }, (_, n) => `https://app.example/${n}`)],
    ['a long redirect', [`https://app.example/${'a'.repeat(1000)}`]],
    ['a relative one', ['/cb']],
    ['a NUL', ['https://app.example/\0']],
    ['half a character', ['https://app.example/\ud800']],
  ])('refuses %s', async (_name, redirect_uris) => {
    const { status, body } = await register({ redirect_uris });
    expect([status, typeof body.error]).toEqual([400, 'string']);
  });

  it('refuses 64 KiB, other types and broken JSON before it stores anything', async () => {
    const big = await register({ client_name: 'a'.repeat(65_000), redirect_uris: ['https://app.example/cb'] });
    expect(big.status).toBe(413);
    expect((await register('{"redirect_uris": [')).status).toBe(400);
    expect((await register('[]')).status).toBe(400);
    expect((await postForm(`${api.url}/oauth2/register`, {})).status).toBe(415);
  });

  it('is written to the audit log of the operators', async () => {
    await registerClient(api, { client_name: 'Audited app' });
    const { body } = await owner.ask('/dashboard/api/audit?limit=1');
    expect(body.data[0]).toMatchObject({
      action: 'app.registered',
      detail: { app: 'Audited app', redirectHosts: ['127.0.0.1:4321'] },
    });
  });
});

it('limits registrations of one address, and the documents that are fetched for it', async () => {
  let fetched = 0;
  const fetchDocument = async () => {
    fetched += 1;
    return new Response('', { status: 404 });
  };
  const limited = await startOauthApi(
    { REDIS_URL: '' },
    { openDatabase: ownDatabase, limitWindowS: 600, limitTimeoutMs: 20_000, fetchDocument },
  );
  try {
    const statuses: number[] = [];
    for (let sent = 0; sent < 22; sent++)
      statuses.push(
        (await postJson(`${limited.url}/oauth2/register`, { redirect_uris: ['https://app.example/cb'] })).status,
      );
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(statuses.slice(-1)).toEqual([429]);
    const documented = (n: number) => authorizeUrl(limited, `https://site-${n}.example/client.json`, newPkce());
    for (let sent = 0; sent < 30; sent++)
      expect(await openAuthorize(documented(sent))).toBe('/connect#error=invalid_client');
    expect(await openAuthorize(documented(30))).toContain('429');
    expect(fetched).toBe(30);
    // A client without a document is served.
    expect(await openAuthorize(authorizeUrl(limited, 'nobody', newPkce()))).toBe('/connect#error=invalid_client');
  } finally {
    await limited.close();
  }
});

it('refuses grants that it does not give', async () => {
  for (const grant of ['client_credentials', 'password', 'urn:ietf:params:oauth:grant-type:token-exchange', '']) {
    const { status, body } = await postForm(`${api.url}/oauth2/token`, { grant_type: grant, client_id: clientId });
    expect([grant, status, typeof body.error]).toEqual([grant, 400, 'string']);
  }
});
