import type { Tx } from '../open-store.ts';

/**
 * The oldest open bulk action of each account that has one, so that a large action doesn't delay other accounts. Nothing
 * is claimed: the transaction that locks the action runs a part of it.
 */
export async function findOpenBulkActions(tx: Tx, limit: number): Promise<{ accountId: string; id: string }[]> {
  const { rows } = await tx.query<{ account_id: string; id: string }>({
    name: 'find-open-bulk-actions',
    text: `
      select account_id, id
      from (
        select distinct on (account_id) account_id, id from landfall.bulk_actions
        where completed_at is null and (retry_at is null or retry_at <= now())
        order by account_id, id
      ) as first
      order by random()
      limit $1`,
    values: [limit],
  });
  return rows.map(({ account_id: accountId, id }) => ({ accountId, id }));
}

/** Deletes bulk actions that ended more than `keptDays` ago, with their parts. Returns their number, at most `limit`. */
export async function deleteOldBulkActions(tx: Tx, options: { keptDays: number; limit: number }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'delete-old-bulk-actions',
    text: `
      with old as (
        select account_id, id from landfall.bulk_actions
        where completed_at <= now() - make_interval(days => $1)
        order by completed_at
        limit $2
        for update skip locked
      )
      delete from landfall.bulk_actions as b
      using old
      where b.account_id = old.account_id and b.id = old.id`,
    values: [options.keptDays, options.limit],
  });
  return rowCount ?? 0;
}
