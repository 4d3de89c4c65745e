import type { Scope } from '#shared/domain/caller.ts';
import type { Tx } from './with-account.ts';

/** A key as it may be shown: never the key itself nor its hash. Times are ISO UTC. */
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
};

/** `keyHash` is the hex SHA-256 of the whole key. */
export type NewApiKey = Pick<ApiKey, 'name' | 'prefix' | 'lastFour' | 'test' | 'expiresAt'> & { keyHash: string; scopes: readonly Scope[] };

type ApiKeyRow = {
  id: string;
  name: string;
  prefix: string;
  last_four: string;
  scopes: Scope[];
  test: boolean;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
};

const apiKeyColumns = 'id, name, prefix, last_four, scopes, test, created_at, expires_at, revoked_at, last_used_at';

export async function insertApiKey(tx: Tx, accountId: string, key: NewApiKey): Promise<ApiKey> {
  const { rows } = await tx.query<ApiKeyRow>({
    name: 'insert-api-key',
    text: `
      insert into landfall.api_keys (account_id, name, prefix, last_four, key_hash, scopes, test, expires_at)
      values ($1, $2, $3, $4, decode($5, 'hex'), $6, $7, $8)
      returning ${apiKeyColumns}`,
    values: [accountId, key.name, key.prefix, key.lastFour, key.keyHash, key.scopes, key.test, key.expiresAt],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the key was not stored');
  return toApiKey(row);
}

/** All keys of the account, revoked ones too, newest first. */
export async function readApiKeys(tx: Tx, accountId: string): Promise<ApiKey[]> {
  const { rows } = await tx.query<ApiKeyRow>({
    name: 'read-api-keys',
    text: `select ${apiKeyColumns} from landfall.api_keys where account_id = $1 order by created_at desc, id desc`,
    values: [accountId],
  });
  return rows.map(toApiKey);
}

/** Revokes a key, once: a second time keeps the first moment. Null when the account has no such key. */
export async function markApiKeyRevoked(tx: Tx, accountId: string, keyId: string): Promise<ApiKey | null> {
  const { rows } = await tx.query<ApiKeyRow>({
    name: 'mark-api-key-revoked',
    text: `
      update landfall.api_keys set revoked_at = coalesce(revoked_at, now())
      where account_id = $1 and id = $2
      returning ${apiKeyColumns}`,
    values: [accountId, keyId],
  });
  return rows[0] === undefined ? null : toApiKey(rows[0]);
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    scopes: row.scopes,
    test: row.test,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
