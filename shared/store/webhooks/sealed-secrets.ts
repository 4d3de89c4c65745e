import type { Tx } from '../with-account.ts';

const columnsOf = {
  present: ['key_version', 'secret_sealed'],
  previous: ['previous_key_version', 'previous_sealed'],
  headers: ['headers_key_version', 'headers_sealed'],
} as const;

/** An encrypted text of a webhook endpoint: one of its secrets, or its custom headers. */
export type SealedWebhookSecret = {
  accountId: string;
  id: string;
  which: keyof typeof columnsOf;
  keyVersion: string;
  sealed: Buffer;
};

/**
 * Encrypted texts of up to `limit` endpoints after an id that have one encrypted with a key other than `keyVersion`,
 * ordered by id.
 */
export async function readOtherwiseSealedWebhooks(
  tx: Tx,
  search: { keyVersion: string; after: string | null; limit: number },
): Promise<SealedWebhookSecret[]> {
  const { rows } = await tx.query<{
    account_id: string;
    id: string;
    which: SealedWebhookSecret['which'];
    key_version: string;
    sealed: Buffer;
  }>({
    name: 'read-otherwise-sealed-webhooks',
    text: `
      with found as (
        select account_id, id, key_version, secret_sealed, previous_key_version, previous_sealed, headers_key_version, headers_sealed
        from landfall.webhook_endpoints
        where (key_version <> $1 or previous_key_version <> $1 or headers_key_version <> $1) and ($2::uuid is null or id > $2)
        order by id
        limit $3
      )
      select f.account_id, f.id, s.which, s.key_version, s.sealed
      from found as f
      cross join lateral (
        values ('present', f.key_version, f.secret_sealed), ('previous', f.previous_key_version, f.previous_sealed),
          ('headers', f.headers_key_version, f.headers_sealed)
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
export async function writeResealedWebhook(
  tx: Tx,
  was: SealedWebhookSecret,
  now: { keyVersion: string; sealed: Buffer },
): Promise<boolean> {
  const [version, sealed] = columnsOf[was.which];
  const { rowCount } = await tx.query({
    name: `write-resealed-webhook-${was.which}`,
    text: `
      update landfall.webhook_endpoints set ${version} = $3, ${sealed} = $4
      where account_id = $1 and id = $2 and ${sealed} = $5`,
    values: [was.accountId, was.id, now.keyVersion, now.sealed, was.sealed],
  });
  return rowCount === 1;
}
