/** The MCP endpoint for clients that sign in with OAuth. It is the resource that tokens are for, and their issuer. */
export const oauthMcpPath = '/v1/mcp/oauth';

/** Addresses of the authorization server. They are outside /v1, where every request carries an API key. */
export const oauthPaths = {
  authorize: '/oauth2/authorize',
  token: '/oauth2/token',
  register: '/oauth2/register',
  revoke: '/oauth2/revoke',
} as const;

/** Paths at which RFC 9728 and RFC 8414 insert `.well-known` for that path. */
export const metadataPaths = {
  resource: `/.well-known/oauth-protected-resource${oauthMcpPath}`,
  server: `/.well-known/oauth-authorization-server${oauthMcpPath}`,
} as const;

/** The page of the dashboard on which a person connects an app. */
export const connectPage = '/connect';

/** Scopes of an app: it reads shipments, for as long as its refresh token lives. */
export const appScopes = ['shipments:read', 'offline_access'] as const;

export const appLifetimes = {
  /** An access token, in seconds. It never outlives its key. */
  accessTokenS: 3600,
  /** A refresh token, which each use replaces, in seconds. */
  refreshTokenS: 30 * 86_400,
  /** A code, and the request that the page shows, in seconds. */
  codeS: 600,
  /** Seconds for which a client that lost the response may send the same refresh token again. */
  retryS: 30,
  /** A registered client that nobody has connected, in hours. */
  unusedClientH: 24,
  /** A client whose last app has ended, in days. */
  idleClientDays: 90,
};

/** Clients that an installation stores, registered or found by a document. */
export const maxClients = 10_000;

/** A key in an account: what a person chose for an app. Ids are uuids. */
export type GrantedKey = { accountId: string; keyId: string };

/** The key as the authorization server stores it with consents, codes and tokens. */
export function toGrantReference({ accountId, keyId }: GrantedKey): string {
  return `${accountId}:${keyId}`;
}

/** The host that a redirect leads to, as a person checks it. Null: it leads into an app of the machine, by its scheme. */
export function redirectHostOf(redirectUri: string): string | null {
  if (!URL.canParse(redirectUri)) return null;
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : null;
}
