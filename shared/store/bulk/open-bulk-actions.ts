import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

/**
 * The oldest open bulk action of each account that has one, so that a large action doesn't delay other accounts. Nothing
 * is claimed: the transaction that locks the action runs a part of it.
 */
export async function findOpenBulkActions(tx: Tx, limit: number): Promise<{ accountId: string; id: string }[]> {
  const rows = await readRows<{ accountId: string; id: string }>(tx, {
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
  return rows.map(({ accountId, id }) => ({ accountId, id }));
}
