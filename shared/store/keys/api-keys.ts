import type { Scope } from '#shared/domain/caller.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** A key without its secret or hash. Times are ISO UTC. */
export type ApiKey = {
  id: string;
  name: string;
  prefix: string;
  lastFour: string;
  scopes: Scope[];
  test: boolean;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  /** The key that replaces this one. This key stays valid until `expiresAt`. */
  rotatedTo: string | null;
};

/** The creator of a key: a user, another key, or, with both null, the operator. Ids are uuids. */
export type KeyMaker = { createdBy: string | null; madeWith: string | null };

/** `keyHash` is the hex SHA-256 of the whole key. */
export type NewApiKey = Pick<ApiKey, 'name' | 'prefix' | 'lastFour' | 'test' | 'expiresAt'> &
  KeyMaker & { keyHash: string; scopes: readonly Scope[] };

export const apiKeyColumns =
  'id, name, prefix, last_four, scopes, test, created_at, expires_at, revoked_at, last_used_at, rotated_to';

/** Null when the user who makes the key is no longer a member of the account. */
export async function insertApiKey(tx: Tx, accountId: string, key: NewApiKey): Promise<ApiKey | null> {
  const inserted = readRows<ApiKey>(tx, {
    name: 'insert-api-key',
    text: `
      insert into landfall.api_keys (account_id, name, prefix, last_four, key_hash, scopes, test, expires_at, created_by, made_with)
      values ($1, $2, $3, $4, decode($5, 'hex'), $6, $7, $8, $9, $10)
      returning ${apiKeyColumns}`,
    values: [...insertedValues(accountId, key), key.createdBy, key.madeWith],
  });
  const rows = await inserted.catch((error: unknown): ApiKey[] => {
    if (Object(error).constraint === 'api_keys_made_by_member') return [];
    throw error;
  });
  return rows[0] ?? null;
}

/**
 * Until the transaction ends, no other one adds a key to the account or removes a member with their keys. Taken before
 * the locks of a key or a member, so that two transactions never wait for each other.
 */
export async function lockApiKeys(tx: Tx, accountId: string): Promise<void> {
  await tx.query({
    name: 'lock-api-keys',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`api-keys ${accountId}`],
  });
}

/** Counts the account's keys that are neither revoked nor expired. Tokens of connected apps don't count. */
export async function countValidApiKeys(tx: Tx, accountId: string): Promise<number> {
  const rows = await readRows<{ valid: number }>(tx, {
    name: 'count-valid-api-keys',
    text: `
      select count(*) as valid from landfall.api_keys
      where account_id = $1 and parent_id is null and revoked_at is null and (expires_at is null or expires_at > now())`,
    values: [accountId],
  });
  return rows[0]?.valid ?? 0;
}

/** Returns null when this key already exists or existed. */
export async function insertApiKeyOnce(
  tx: Tx,
  accountId: string,
  key: Omit<NewApiKey, keyof KeyMaker>,
): Promise<ApiKey | null> {
  const rows = await readRows<ApiKey>(tx, {
    name: 'insert-api-key-once',
    text: `
      insert into landfall.api_keys (account_id, name, prefix, last_four, key_hash, scopes, test, expires_at)
      values ($1, $2, $3, $4, decode($5, 'hex'), $6, $7, $8)
      on conflict (key_hash) do nothing
      returning ${apiKeyColumns}`,
    values: insertedValues(accountId, key),
  });
  return rows[0] ?? null;
}

function insertedValues(accountId: string, key: Omit<NewApiKey, keyof KeyMaker>): unknown[] {
  return [accountId, key.name, key.prefix, key.lastFour, key.keyHash, key.scopes, key.test, key.expiresAt];
}

/**
 * Keys of the account, including revoked ones, newest first, without the tokens of connected apps. `after`: only keys
 * older than this one.
 */
export async function readApiKeys(
  tx: Tx,
  accountId: string,
  page: { testOnly: boolean; after: string | null; limit: number },
): Promise<ApiKey[]> {
  return readRows<ApiKey>(tx, {
    name: 'read-api-keys',
    text: `
      select ${apiKeyColumns} from landfall.api_keys
      where account_id = $1 and parent_id is null and (test or not $2) and ($3::uuid is null or id < $3)
      order by id desc
      limit $4`,
    values: [accountId, page.testOnly, page.after, page.limit],
  });
}

/** `active`: neither revoked nor expired, by the database's clock. */
export type LockedApiKey = { key: ApiKey; active: boolean };

/** Locks the key until the transaction ends. Null when the account has no such key, or it is a token of an app. */
export async function lockApiKey(
  tx: Tx,
  accountId: string,
  wanted: { keyId: string; testOnly: boolean },
): Promise<LockedApiKey | null> {
  const rows = await readRows<ApiKey & { active: boolean }>(tx, {
    name: 'lock-api-key',
    text: `
      select ${apiKeyColumns}, revoked_at is null and coalesce(expires_at > now(), true) as active
      from landfall.api_keys
      where account_id = $1 and id = $2 and parent_id is null and (test or not $3)
      for no key update`,
    values: [accountId, wanted.keyId, wanted.testOnly],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { active, ...key } = row;
  return { key, active };
}

/** Revokes an existing key. */
export async function markApiKeyRevoked(tx: Tx, accountId: string, keyId: string): Promise<ApiKey> {
  const rows = await readRows<ApiKey>(tx, {
    name: 'mark-api-key-revoked',
    text: `update landfall.api_keys set revoked_at = now() where account_id = $1 and id = $2 returning ${apiKeyColumns}`,
    values: [accountId, keyId],
  });
  return onlyRow(rows);
}

/**
 * Links an existing key to its replacement. It expires after the overlap, or earlier if it already had an earlier
 * expiry.
 */
export async function markApiKeyRotated(
  tx: Tx,
  accountId: string,
  rotation: { keyId: string; successorId: string; overlapHours: number },
): Promise<ApiKey> {
  const rows = await readRows<ApiKey>(tx, {
    name: 'mark-api-key-rotated',
    text: `
      update landfall.api_keys
      set rotated_at = now(), rotated_to = $3, expires_at = least(expires_at, now() + $4 * interval '1 hour')
      where account_id = $1 and id = $2
      returning ${apiKeyColumns}`,
    values: [accountId, rotation.keyId, rotation.successorId, rotation.overlapHours],
  });
  return onlyRow(rows);
}

function onlyRow(rows: ApiKey[]): ApiKey {
  const [row] = rows;
  if (row === undefined) throw new Error('the key was not stored');
  return row;
}

/** Names of keys, by id. */
export async function readKeyNames(tx: Tx, accountId: string, keyIds: readonly string[]): Promise<Map<string, string>> {
  if (keyIds.length === 0) return new Map();
  const rows = await readRows<{ id: string; name: string }>(tx, {
    name: 'read-key-names',
    text: 'select id, name from landfall.api_keys where account_id = $1 and id = any($2::uuid[])',
    values: [accountId, keyIds],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Keys that are not revoked and were used in the last minutes, most recent first. */
export async function readKeysInUse(
  tx: Tx,
  accountId: string,
  wanted: { minutes: number; limit: number },
): Promise<{ id: string; name: string }[]> {
  return readRows<{ id: string; name: string }>(tx, {
    name: 'read-keys-in-use',
    text: `
      select id, name from landfall.api_keys
      where account_id = $1 and parent_id is null and revoked_at is null and last_used_at > now() - make_interval(mins => $2)
      order by last_used_at desc, id desc
      limit $3`,
    values: [accountId, wanted.minutes, wanted.limit],
  });
}
