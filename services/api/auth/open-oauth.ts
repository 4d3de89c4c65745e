import { appScopes, connectPage, oauthMcpPath, oauthPaths } from '#shared/domain/apps/app.ts';
import type { Store } from '#shared/store/open-store.ts';
import { unavailabilityOf } from '#shared/store/store-errors.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { OauthServer, OauthWiring, Work } from './oauth-server.ts';
import { type AuthRequest, addressHeader } from './open-auth.ts';

/** A response of the authorization server. `body` is JSON, or null. */
export type OauthAnswer = { status: number; body: Record<string, unknown> | null };

/** The request of an app for access, as it was signed when the app sent the person here. */
export type AppRequest = {
  clientId: string;
  name: string | null;
  /** The app is known by the document at its id, and not by what it said when it registered. */
  isDocumented: boolean;
  redirectUri: string;
  /** When the page must have been answered, ISO UTC. */
  expiresAt: string;
};

/** The authorization server of the MCP endpoint. Errors of the protocol are answers; failures of ours are thrown. */
export type Oauth = {
  /** Address of the MCP endpoint, the resource that tokens are for, and the issuer. */
  issuer: string;
  /** The metadata of RFC 8414. */
  metadata: () => Promise<Record<string, unknown>>;
  /** Returns the address for the browser: the consent page, or the app's own with an error. */
  authorize: (query: URLSearchParams, request: AuthRequest) => Promise<string>;
  /** `authorization`: the header of that name. */
  token: (
    form: URLSearchParams,
    asked: { authorization: string | null; tx: Tx; accessToken: string },
  ) => Promise<OauthAnswer>;
  revoke: (form: URLSearchParams, asked: { authorization: string | null; tx: Tx }) => Promise<OauthAnswer>;
  register: (metadata: Record<string, unknown>) => Promise<OauthAnswer>;
  /** Null: the request was changed or has expired. */
  readRequest: (signed: string, request: AuthRequest) => Promise<AppRequest | null>;
  /** Grants the request, for `reference` in the transaction, or denies it. Returns where the browser goes. */
  answerRequest: (
    signed: string,
    answer: { accept: false } | { accept: true; reference: string; tx: Tx },
    request: AuthRequest,
  ) => Promise<string>;
  /** Loads the library, so that the first request does not wait. */
  load: () => Promise<void>;
};

export type OauthOptions = Omit<OauthWiring, 'pool' | 'addressHeader' | 'baseUrl'> & { publicBaseUrl: string };

/** The library is loaded on demand, as for signing in. */
export function openOauth(store: Store, { publicBaseUrl, ...options }: OauthOptions): Oauth {
  const baseUrl = new URL(publicBaseUrl).origin;
  let made: Promise<OauthServer> | null = null;
  const ready = () => {
    made ??= make(store, { ...options, baseUrl });
    made.catch(() => {
      made = null;
    });
    return made;
  };
  const ask = async (path: string, init: RequestInit, work: Partial<Work> = {}): Promise<Response> => {
    const url = `${baseUrl}${oauthMcpPath}${path}`;
    const server = await withUnavailability(ready);
    const response = await withUnavailability(() => server.handle(new Request(url, { method: 'POST', ...init }), work));
    if (response.status >= 500) throw new Error(`the authorization server answered ${path} with ${response.status}`);
    return response;
  };
  const answerOf = async (asked: Promise<Response>): Promise<OauthAnswer> => {
    const response = await asked;
    return { status: response.status, body: await readBody(response) };
  };
  return {
    issuer: `${baseUrl}${oauthMcpPath}`,
    metadata: () => withUnavailability(async () => ownMetadata(await (await ready()).metadata(), baseUrl)),
    authorize: async (query, request) => {
      const path = `/oauth2/authorize?${authorizationQuery(query, `${baseUrl}${oauthMcpPath}`)}`;
      const init = { method: 'GET', headers: headersOf(request, { accept: 'text/html' }) };
      const response = await ask(path, init, { fetchesDocuments: true });
      const location = response.headers.get('location');
      if (location !== null) return ownLocation(location, baseUrl);
      const body = await readBody(response);
      return errorLocation(typeof body?.error === 'string' ? body.error : 'invalid_request');
    },
    token: (form, { authorization, tx, accessToken }) =>
      answerOf(ask('/oauth2/token', formInit(picked(form, tokenFields), authorization), { tx, accessToken })),
    revoke: (form, { authorization, tx }) =>
      answerOf(ask('/oauth2/revoke', formInit(picked(form, revocationFields), authorization), { tx })),
    register: (metadata) => answerOf(ask('/oauth2/register', jsonInit(metadata))),
    readRequest: async (signed, request) => {
      const query = new URLSearchParams(signed);
      const clientId = query.get('client_id') ?? '';
      const body = { client_id: clientId, oauth_query: signed };
      const read = ask('/oauth2/public-client-prelogin', jsonInit(body, headersOf(request)));
      const { status, body: client } = await answerOf(read);
      if (status !== 200) return null;
      return {
        clientId,
        name: typeof client?.client_name === 'string' ? client.client_name : null,
        isDocumented: clientId.startsWith('https://'),
        redirectUri: query.get('redirect_uri') ?? '',
        expiresAt: new Date(Number(query.get('exp')) * 1000).toISOString(),
      };
    },
    answerRequest: async (signed, answer, request) => {
      const body = { accept: answer.accept, oauth_query: signed };
      const work = answer.accept ? { tx: answer.tx, reference: answer.reference } : {};
      const asked = await answerOf(ask('/oauth2/consent', jsonInit(body, headersOf(request)), work));
      const { url } = asked.body ?? {};
      if (asked.status !== 200 || typeof url !== 'string')
        throw new Error(`the authorization server answered a consent with ${asked.status}`);
      return ownLocation(url, baseUrl);
    },
    load: async () => void (await withUnavailability(ready)),
  };
}

async function make(store: Store, options: Omit<OauthWiring, 'pool' | 'addressHeader'>): Promise<OauthServer> {
  const { makeOauthServer } = await import('./oauth-server.ts');
  return makeOauthServer({ ...options, pool: store.auth, addressHeader });
}

async function withUnavailability<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    throw unavailabilityOf(error) ?? unavailabilityOf(cause) ?? error;
  }
}

/**
 * Builds the query that the library receives for an authorization request. Every connection is approved on the page,
 * where a key is chosen, regardless of the app's `prompt`; an app that forbids a page gets none. Without a scope that
 * the client may have, it gets both; without a resource, the only one.
 */
function authorizationQuery(sent: URLSearchParams, resource: string): URLSearchParams {
  const query = picked(sent, authorizationFields);
  const scope = query.get('scope');
  if (scope !== null && query.getAll('scope').length === 1)
    query.set('scope', [...new Set([...scope.split(' ').filter(Boolean), ...appScopes])].join(' '));
  if (!query.has('resource')) query.set('resource', resource);
  const isSilent = sent.getAll('prompt').some((prompt) => prompt.split(' ').includes('none'));
  query.set('prompt', isSilent ? 'none' : 'consent');
  return query;
}

const authorizationFields = [
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'request',
  'request_uri',
];

const tokenFields = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'resource',
  'scope',
];

const revocationFields = ['client_id', 'client_secret', 'token', 'token_type_hint'];

/**
 * A parameter that comes twice still does, so that the library refuses it. One with a NUL, which the database can't
 * compare, counts as missing.
 */
function picked(sent: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...sent].filter(([name, value]) => names.includes(name) && !value.includes('\0')));
}

function formInit(form: URLSearchParams, authorization: string | null): RequestInit {
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  if (authorization !== null) headers.set('authorization', authorization);
  return { headers, body: form.toString() };
}

function jsonInit(body: object, headers = new Headers()): RequestInit {
  headers.set('content-type', 'application/json');
  return { headers, body: JSON.stringify(body) };
}

function headersOf({ cookie, userAgent, address }: AuthRequest, more: Record<string, string> = {}): Headers {
  const headers = new Headers({ 'user-agent': userAgent.slice(0, 500), [addressHeader]: address, ...more });
  if (cookie !== '') headers.set('cookie', cookie);
  return headers;
}

async function readBody(response: Response): Promise<Record<string, unknown> | null> {
  const text = await response.text();
  if (text === '') return null;
  const read: unknown = JSON.parse(text);
  return typeof read === 'object' && read !== null ? { ...read } : null;
}

/** The page gets its request in the fragment, which browsers don't send: no log and no referrer has it. */
function ownLocation(location: string, baseUrl: string): string {
  const url = new URL(location, baseUrl);
  if (url.origin !== baseUrl || url.pathname !== connectPage) return location;
  const error = url.searchParams.get('error');
  if (error !== null) return errorLocation(error);
  return `${connectPage}#request=${encodeURIComponent(url.search.slice(1))}`;
}

function errorLocation(error: string): string {
  return `${connectPage}#error=${encodeURIComponent(error.slice(0, 100))}`;
}

/** Returns the metadata of the library's features that this server offers, with the addresses that serve them. */
function ownMetadata(of: Record<string, unknown>, baseUrl: string): Record<string, unknown> {
  return {
    issuer: of.issuer,
    authorization_endpoint: baseUrl + oauthPaths.authorize,
    token_endpoint: baseUrl + oauthPaths.token,
    registration_endpoint: baseUrl + oauthPaths.register,
    revocation_endpoint: baseUrl + oauthPaths.revoke,
    scopes_supported: of.scopes_supported,
    response_types_supported: of.response_types_supported,
    response_modes_supported: of.response_modes_supported,
    grant_types_supported: of.grant_types_supported,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: of.code_challenge_methods_supported,
    authorization_response_iss_parameter_supported: of.authorization_response_iss_parameter_supported,
    client_id_metadata_document_supported: of.client_id_metadata_document_supported,
    service_documentation: `${baseUrl}/docs/mcp`,
  };
}
