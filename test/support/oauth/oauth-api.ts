import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { type Json, startTestApi, type TestApi, type TestApiOptions } from '#test/support/api/api.ts';
import type { Browser } from '#test/support/browser/dashboard.ts';

/** An API with `MCP_OAUTH=on` at the address that its metadata names. */
export async function startOauthApi(
  environment: Record<string, string> = {},
  options: TestApiOptions = {},
): Promise<TestApi> {
  const port = await freePort();
  const own = { MCP_OAUTH: 'on', PUBLIC_BASE_URL: `http://127.0.0.1:${port}` };
  return startTestApi({ ...own, ...environment }, { ...options, port });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export type Answer = { status: number; headers: Headers; body: Json };

/** Posts a form, as token requests are. */
export async function postForm(url: string, form: Record<string, string> | URLSearchParams): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  return answerOf(response);
}

export async function postJson(url: string, body: unknown): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return answerOf(await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text }));
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
}

export const redirectUri = 'http://127.0.0.1:4321/callback';

/** A client that registers itself. */
export async function registerClient(api: Pick<TestApi, 'url'>, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await postJson(`${api.url}/oauth2/register`, {
    client_name: 'Test app',
    redirect_uris: [redirectUri],
    ...more,
  });
  if (answer.status !== 201) throw new Error(`registration was answered ${JSON.stringify(answer)}`);
  return answer.body.client_id;
}

export type Pkce = { verifier: string; challenge: string };

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The address that an app opens in a browser. A null parameter is left out. */
export function authorizeUrl(
  api: Pick<TestApi, 'url'>,
  clientId: string,
  pkce: Pkce,
  more: Record<string, string | null> = {},
): string {
  const all: Record<string, string | null> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    state: 'a-state',
    ...more,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return `${api.url}/oauth2/authorize?${new URLSearchParams(given)}`;
}

/** Opens the address and returns where the browser is sent. */
export async function openAuthorize(url: string, browser?: Browser): Promise<string> {
  if (browser !== undefined) {
    const { pathname, search } = new URL(url);
    const answer = await browser.ask(pathname + search);
    return answer.headers.get('location') ?? `status ${answer.status}: ${JSON.stringify(answer.body)}`;
  }
  const response = await fetch(url, { redirect: 'manual' });
  return response.headers.get('location') ?? `status ${response.status}: ${await response.text()}`;
}

/** The signed request that the page gets in its fragment. */
export function requestOf(location: string): string {
  const request = new URLSearchParams(location.split('#')[1] ?? '').get('request');
  if (request === null) throw new Error(`no request in ${location}`);
  return request;
}

/** Connects a registered client to a key. Returns the address that the browser is sent to. */
export async function consent(
  browser: Browser,
  { request, keyId }: { request: string; keyId: string },
): Promise<Answer> {
  return browser.ask('/dashboard/api/app-requests/allow', { body: { request, api_key_id: keyId } });
}

export type Connected = { clientId: string; accessToken: string; refreshToken: string; body: Json };

/** From registration to a token. */
export async function connect(
  api: TestApi,
  browser: Browser,
  keyId: string,
  clientId: string | null = null,
): Promise<Connected> {
  const client = clientId ?? (await registerClient(api));
  const pkce = newPkce();
  const request = requestOf(await openAuthorize(authorizeUrl(api, client, pkce), browser));
  const allowed = await consent(browser, { request, keyId });
  if (allowed.status !== 200) throw new Error(`consent was answered ${JSON.stringify(allowed)}`);
  const code = new URL(allowed.body.location).searchParams.get('code') ?? '';
  const answer = await redeem(api, { clientId: client, code, verifier: pkce.verifier });
  if (answer.status !== 200) throw new Error(`the code was answered ${JSON.stringify(answer)}`);
  const { access_token: accessToken, refresh_token: refreshToken } = answer.body;
  return { clientId: client, accessToken, refreshToken, body: answer.body };
}

export function redeem(
  api: Pick<TestApi, 'url'>,
  { clientId, code, verifier }: { clientId: string; code: string; verifier: string },
  more: Record<string, string> = {},
): Promise<Answer> {
  return postForm(`${api.url}/oauth2/token`, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    ...more,
  });
}

export function refresh(
  api: Pick<TestApi, 'url'>,
  { clientId, refreshToken }: { clientId: string; refreshToken: string },
  more: Record<string, string> = {},
): Promise<Answer> {
  return postForm(`${api.url}/oauth2/token`, {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    ...more,
  });
}

/** Asks the MCP endpoint for its tools with a token. */
export async function listTools(api: Pick<TestApi, 'url'>, token: string, path = '/v1/mcp/oauth'): Promise<Answer> {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return answerOf(response);
}
