import { readRows } from '../../read-rows.ts';
import type { Tx } from '../../with-account.ts';

/** Accounts with shipments whose records are to be composed again, with up to `limit` of them in all. Not locked. */
export async function findRecomposable(tx: Tx, limit: number): Promise<Map<string, string[]>> {
  const rows = await readRows<{ accountId: string; ids: string[] }>(tx, {
    name: 'find-recomposable',
    text: `
      select r.account_id, array_agg(r.id) as ids
      from (
        select s.account_id, s.id from landfall.shipments as s where s.recompose order by s.account_id, s.id limit $1
      ) as r
      group by r.account_id`,
    values: [limit],
  });
  return new Map(rows.map(({ accountId, ids }) => [accountId, ids]));
}
