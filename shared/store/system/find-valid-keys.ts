import type { Store } from '../open-store.ts';

/** The places of those keys that are neither revoked nor expired. */
export async function findValidKeys(
  store: Store,
  keys: readonly { accountId: string; keyId: string }[],
): Promise<Set<number>> {
  const { rows } = await store.system.query<{ place: number }>({
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
