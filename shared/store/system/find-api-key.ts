import type { Scope } from '#shared/domain/caller.ts';
import type { Limits } from '#shared/domain/keys/limits.ts';
import type { Store } from '../open-store.ts';

export type FoundApiKey = {
  accountId: string;
  keyId: string;
  scopes: Scope[];
  test: boolean;
  /** The account's own limits. Missing ones have the default. */
  limits: Partial<Limits>;
  expired: boolean;
  revoked: boolean;
  /** The last recorded use was more than a minute ago, or never. */
  useIsOld: boolean;
};

type FoundRow = Pick<FoundApiKey, 'scopes' | 'test' | 'limits' | 'expired' | 'revoked'> & {
  account_id: string;
  id: string;
  use_is_old: boolean;
};

/** The key with this hex SHA-256, or null. A single query without a transaction, because every request runs it. */
export async function findApiKey(store: Store, keyHash: string): Promise<FoundApiKey | null> {
  const { rows } = await store.system.query<FoundRow>({
    name: 'find-api-key',
    text: `
      select k.account_id, k.id, k.scopes, k.test, a.limits, coalesce(k.expires_at <= now(), false) as expired,
        k.revoked_at is not null as revoked, coalesce(k.last_used_at < now() - interval '1 minute', true) as use_is_old
      from landfall.api_keys as k join landfall.accounts as a on a.id = k.account_id
      where k.key_hash = decode($1, 'hex')`,
    values: [keyHash],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { account_id, id, use_is_old, ...rest } = row;
  return { ...rest, accountId: account_id, keyId: id, useIsOld: use_is_old };
}

/** Records the use of the key, at most once a minute. */
export async function noteApiKeyUse(store: Store, key: { accountId: string; keyId: string }): Promise<void> {
  await store.system.query({
    name: 'note-api-key-use',
    text: `
      update landfall.api_keys set last_used_at = now()
      where account_id = $1 and id = $2 and coalesce(last_used_at < now() - interval '1 minute', true)`,
    values: [key.accountId, key.keyId],
  });
}
