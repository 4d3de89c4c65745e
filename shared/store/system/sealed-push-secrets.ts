import type { Tx } from '../with-account.ts';

/** An encrypted secret of a push subscription. */
export type SealedPushSecret = {
  accountId: string;
  id: string;
  which: 'present' | 'previous';
  keyVersion: string;
  sealed: Buffer;
};

/**
 * Secrets of up to `limit` subscriptions after an id that have a secret encrypted with a key other than `keyVersion`,
 * ordered by id.
 */
export async function readOtherwiseSealedPush(
  tx: Tx,
  search: { keyVersion: string; after: string | null; limit: number },
): Promise<SealedPushSecret[]> {
  const { rows } = await tx.query<{
    account_id: string;
    id: string;
    which: 'present' | 'previous';
    key_version: string;
    sealed: Buffer;
  }>({
    name: 'read-otherwise-sealed-push',
    text: `
      with found as (
        select account_id, id, key_version, secret_sealed, previous_key_version, previous_sealed
        from landfall.push_subscriptions
        where (key_version <> $1 or previous_key_version <> $1) and ($2::uuid is null or id > $2)
        order by id
        limit $3
      )
      select f.account_id, f.id, s.which, s.key_version, s.sealed
      from found as f
      cross join lateral (
        values ('present', f.key_version, f.secret_sealed), ('previous', f.previous_key_version, f.previous_sealed)
      ) as s (which, key_version, sealed)
      where s.key_version <> $1
      order by f.id`,
    values: [search.keyVersion, search.after, search.limit],
  });
  return rows.map(({ account_id: accountId, id, which, key_version: keyVersion, sealed }) => ({
    accountId,
    id,
    which,
    keyVersion,
    sealed,
  }));
}

/** Stores the same secret encrypted with another key. False when it was changed concurrently. */
export async function writeResealedPush(
  tx: Tx,
  was: SealedPushSecret,
  now: { keyVersion: string; sealed: Buffer },
): Promise<boolean> {
  const [version, sealed] =
    was.which === 'present' ? ['key_version', 'secret_sealed'] : ['previous_key_version', 'previous_sealed'];
  const { rowCount } = await tx.query({
    name: `write-resealed-push-${was.which}`,
    text: `
      update landfall.push_subscriptions set ${version} = $3, ${sealed} = $4
      where account_id = $1 and id = $2 and ${sealed} = $5`,
    values: [was.accountId, was.id, now.keyVersion, now.sealed, was.sealed],
  });
  return rowCount === 1;
}
