import type { Shipment } from './record/shipment.ts';

export const scopes = [
  'shipments:read',
  'shipments:write',
  'shipments:delete',
  'events:write',
  'shares:write',
  'webhooks:manage',
  'carriers:manage',
  'keys:manage',
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes that a key can be given: those that open an operation. */
export const grantableScopes = scopes;
export type GrantableScope = (typeof grantableScopes)[number];

/** The scopes of a key that is created without scopes. */
export const defaultScopes: readonly GrantableScope[] = ['shipments:read', 'shipments:write'];

/** The parsed `Idempotency-Key`. `bodyHash` is the hex SHA-256 of the raw body, `route` is `METHOD /path`. */
export type Idempotency = { key: string; bodyHash: string; route: string };

/** The parsed `If-Match`: whether the record still is the one that the client read. */
export type Precondition = (shipment: Shipment) => boolean;

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
  /** Absent: the client accepts any version of what it changes. */
  precondition?: Precondition;
};
