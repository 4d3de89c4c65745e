import type { Scope } from '#shared/domain/caller.ts';
import type { Limits } from '#shared/domain/keys/limits.ts';
import type { Store } from '../open-store.ts';
import { maxSilenceMs, readRows } from '../read-rows.ts';

export type FoundApiKey = {
  accountId: string;
  keyId: string;
  /** The key of a connected app's access token: the key that the app was connected to. */
  parentId: string | null;
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
  keyHash: string;
  accountId: string;
  id: string;
  parentId: string | null;
  useIsOld: boolean;
};

/**
 * The keys with these hex SHA-256, in their order, null where there is none. A token of a connected app ends with its
 * parent. A single query without a transaction, because nearly every request runs it.
 */
export async function findApiKeys(store: Store, keyHashes: readonly string[]): Promise<(FoundApiKey | null)[]> {
  const rows = await readRows<FoundRow>(store.system, {
    name: 'find-api-keys',
    maxSilenceMs,
    text: `
      select encode(k.key_hash, 'hex') as key_hash, k.account_id, k.id, k.parent_id, k.scopes, k.test, a.limits,
        coalesce(least(k.expires_at, p.expires_at) <= now(), false) as expired,
        num_nonnulls(k.revoked_at, p.revoked_at) > 0 as revoked,
        coalesce(k.last_used_at < now() - interval '1 minute', true) as use_is_old
      from landfall.api_keys as k
      join landfall.accounts as a on a.id = k.account_id
      left join landfall.api_keys as p on p.account_id = k.account_id and p.id = k.parent_id
      where k.key_hash = any($1::bytea[])`,
    values: [keyHashes.map((keyHash) => Buffer.from(keyHash, 'hex'))],
  });
  const found = new Map(rows.map((row) => [row.keyHash, toFound(row)]));
  return keyHashes.map((keyHash) => found.get(keyHash) ?? null);
}

function toFound({ accountId, id, parentId, useIsOld, ...row }: FoundRow): FoundApiKey {
  const { scopes, test, limits, expired, revoked } = row;
  const of = { accountId, keyId: id, parentId };
  return { ...of, scopes, test, limits, expired, revoked, useIsOld };
}

/** Records the use of the key, at most once a minute. What a connected app uses is a use of its parent, too. */
export async function noteApiKeyUse(
  store: Store,
  key: { accountId: string; keyId: string; parentId: string | null },
): Promise<void> {
  await store.system.query({
    name: 'note-api-key-use',
    text: `
      update landfall.api_keys set last_used_at = now()
      where account_id = $1 and id in ($2, $3) and coalesce(last_used_at < now() - interval '1 minute', true)`,
    values: [key.accountId, key.keyId, key.parentId],
  });
}

/** The places of those keys that are neither revoked nor expired. */
export async function findValidKeys(
  store: Store,
  keys: readonly { accountId: string; keyId: string }[],
): Promise<Set<number>> {
  const rows = await readRows<{ place: number }>(store.system, {
    name: 'find-valid-keys',
    text: `
      select u.place
      from unnest($1::uuid[], $2::uuid[]) with ordinality as u (account_id, id, place)
      join landfall.api_keys as k on k.account_id = u.account_id and k.id = u.id
      where k.revoked_at is null and coalesce(k.expires_at > now(), true)`,
    values: [keys.map(({ accountId }) => accountId), keys.map(({ keyId }) => keyId)],
  });
  return new Set(rows.map(({ place }) => place - 1));
}
