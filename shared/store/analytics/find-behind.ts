import { measuresShape } from '#shared/domain/analytics/shipment-measures.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import { hasWaited } from './cells.ts';
import type { AnalyticsKey } from './cursors.ts';

/**
 * Modes of accounts whose measures are behind the feed, or that have days to count again since `countAfterMs`, at most
 * `limit`.
 */
export async function findBehind(
  tx: Tx,
  { countAfterMs, limit }: { countAfterMs: number; limit: number },
): Promise<AnalyticsKey[]> {
  return readRows<{ accountId: string; test: boolean }>(tx, {
    name: 'find-analytics-behind',
    text: `
      with behind as (
        select f.account_id, m.test
        from landfall.account_feeds as f
        cross join (values (false), (true)) as m (test)
        left join landfall.analytics_cursors as c on c.account_id = f.account_id and c.test = m.test
        where c.account_id is null or c.sequence < f.given or c.scanned_to is not null or c.shape <> $2
        union
        select s.account_id, s.test from landfall.stale_cells as s where ${hasWaited('s', '$3')}
      )
      select b.account_id, b.test
      from behind as b
      join landfall.accounts as a on a.id = b.account_id and a.removed_at is null
      -- One whose measures can't be written must not take every run.
      order by random()
      limit $1`,
    values: [limit, measuresShape, countAfterMs],
  });
}
