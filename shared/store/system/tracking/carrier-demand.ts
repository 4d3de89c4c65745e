import type { Tx } from '../../open-store.ts';
import { readRows } from '../../read-rows.ts';

export type DemandRow = { accountId: string; connector: string; refreshes: number };

/**
 * Counts the refreshes scheduled for the next hour, including overdue ones. Skipped if another worker did so within
 * `freshS` seconds or is doing so now.
 */
export async function countDemand(tx: Tx, freshS: number): Promise<void> {
  const rows = await readRows<{ mine: boolean }>(tx, {
    name: 'claim-demand-count',
    text: `
      select pg_try_advisory_xact_lock(hashtext('landfall.carrier_demand')) and not exists (
        select from landfall.carrier_demand where counted_at > now() - make_interval(secs => $1)
      ) as mine`,
    values: [freshS],
  });
  if (rows[0]?.mine !== true) return;
  await tx.query({
    name: 'count-demand',
    text: `
      with counted as (
        select account_id, connector, count(*)::integer as refreshes
        from landfall.polling
        where next_refresh_at <= now() + interval '1 hour'
        group by account_id, connector
      ),
      gone as (
        delete from landfall.carrier_demand as d
        where not exists (select from counted as c where c.account_id = d.account_id and c.connector = d.connector)
      )
      insert into landfall.carrier_demand (account_id, connector, refreshes)
      select account_id, connector, refreshes from counted
      on conflict (account_id, connector) do update set refreshes = excluded.refreshes, counted_at = excluded.counted_at`,
  });
}

/** The latest counts, by account and connector. */
export async function readDemand(tx: Tx): Promise<DemandRow[]> {
  return readRows<{ accountId: string; connector: string; refreshes: number }>(tx, {
    name: 'read-demand',
    text: 'select account_id, connector, refreshes from landfall.carrier_demand',
  });
}
