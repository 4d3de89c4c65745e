import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/**
 * Folds up to `limit` deltas into the kept counts in one statement, so that an interruption folds nothing. Concurrent
 * calls take different deltas. Returns how many it folded.
 */
export async function foldCounts(tx: Tx, limit: number): Promise<number> {
  const rows = await readRows<{ folded: number }>(tx, {
    name: 'fold-counts',
    text: `
      with waiting as (
        select d.account_id, d.id from landfall.shipment_count_deltas as d order by d.account_id, d.id limit $1 for update skip locked
      ),
      taken as (
        delete from landfall.shipment_count_deltas as d
        using waiting as w
        where d.account_id = w.account_id and d.id = w.id
        returning d.account_id, d.test, d.archived, d.status, d.state, d.has_exception, d.reason, d.needs_attention, d.delta
      ),
      summed as (
        select t.account_id, t.test, t.archived, t.status, t.state, t.has_exception, t.reason, t.needs_attention, sum(t.delta) as delta
        from taken as t
        group by 1, 2, 3, 4, 5, 6, 7, 8
        having sum(t.delta) <> 0
      ),
      folded as (
        insert into landfall.shipment_counts as c (account_id, test, archived, status, state, has_exception, reason, needs_attention, counted)
        select s.account_id, s.test, s.archived, s.status, s.state, s.has_exception, s.reason, s.needs_attention, s.delta
        from summed as s
        -- In a fixed order, so that concurrent folds wait for each other instead of deadlocking.
        order by 1, 2, 3, 4, 5, 6, 7, 8
        on conflict (account_id, test, archived, status, state, has_exception, reason, needs_attention) do update set counted = c.counted + excluded.counted
        returning 1
      )
      select (select count(*) from taken)::integer as folded, (select count(*) from folded) as written`,
    values: [limit],
  });
  return rows[0]?.folded ?? 0;
}
