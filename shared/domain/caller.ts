export const scopes = [
  'shipments:read',
  'shipments:write',
  'webhooks:manage',
  'carriers:manage',
  'keys:manage',
] as const;

export type Scope = (typeof scopes)[number];

/** Scopes of a key that is created without naming any. */
export const defaultScopes: readonly Scope[] = ['shipments:read', 'shipments:write'];

/** The parsed `Idempotency-Key`: `bodyHash` is a hex SHA-256 of the raw body; `route` is `METHOD /path`. */
export type Idempotency = { key: string; bodyHash: string; route: string };

/** Who asks. The account comes from the API key, or from the membership of who is signed in, never from input alone. */
export type Caller = {
  accountId: string;
  keyId: string | null;
  /** The person who is signed in to the dashboard (a uuid); absent for a key. */
  userId?: string;
  scopes: readonly Scope[];
  test: boolean;
  requestId: string;
  idempotency: Idempotency | null;
};
