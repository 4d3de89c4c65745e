export const scopes = [
  'shipments:read',
  'shipments:write',
  'webhooks:manage',
  'carriers:manage',
  'keys:manage',
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes of a key that is created without scopes. */
export const defaultScopes: readonly Scope[] = ['shipments:read', 'shipments:write'];

/** The parsed `Idempotency-Key`. `bodyHash` is the hex SHA-256 of the raw body, `route` is `METHOD /path`. */
export type Idempotency = { key: string; bodyHash: string; route: string };

/** The origin of a request. The account comes from the API key or the user's membership, never from input alone. */
export type Caller = {
  accountId: string;
  keyId: string | null;
  /** The user who is signed in to the dashboard (a uuid). Absent for a key. */
  userId?: string;
  scopes: readonly Scope[];
  test: boolean;
  requestId: string;
  idempotency: Idempotency | null;
};
