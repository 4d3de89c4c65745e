import type { Tx } from '../with-account.ts';

const columnsOf = { url: ['key_version', 'url_sealed'], secret: ['secret_key_version', 'secret_sealed'] } as const;

/** An encrypted text of a channel: its address, or what signs its webhooks. */
export type SealedChannel = {
  accountId: string;
  id: string;
  which: keyof typeof columnsOf;
  keyVersion: string;
  sealed: Buffer;
};

/** Texts of up to `limit` channels after an id that have one encrypted with a key other than `keyVersion`, by id. */
export async function readOtherwiseSealedChannels(
  tx: Tx,
  search: { keyVersion: string; after: string | null; limit: number },
): Promise<SealedChannel[]> {
  const { rows } = await tx.query<{
    account_id: string;
    id: string;
    which: SealedChannel['which'];
    key_version: string;
    sealed: Buffer;
  }>({
    name: 'read-otherwise-sealed-channels',
    text: `
      with found as (
        select account_id, id, key_version, url_sealed, secret_key_version, secret_sealed
        from landfall.alert_channels
        where (key_version <> $1 or secret_key_version <> $1) and ($2::uuid is null or id > $2)
        order by id
        limit $3
      )
      select f.account_id, f.id, s.which, s.key_version, s.sealed
      from found as f
      cross join lateral (
        values ('url', f.key_version, f.url_sealed), ('secret', f.secret_key_version, f.secret_sealed)
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

/** Stores the same text encrypted with another key. False when it was changed concurrently. */
export async function writeResealedChannel(
  tx: Tx,
  was: SealedChannel,
  now: { keyVersion: string; sealed: Buffer },
): Promise<boolean> {
  const [version, sealed] = columnsOf[was.which];
  const { rowCount } = await tx.query({
    name: `write-resealed-channel-${was.which}`,
    text: `
      update landfall.alert_channels set ${version} = $3, ${sealed} = $4
      where account_id = $1 and id = $2 and ${sealed} = $5`,
    values: [was.accountId, was.id, now.keyVersion, now.sealed, was.sealed],
  });
  return rowCount === 1;
}
