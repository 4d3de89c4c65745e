import { instantsOfDay } from '#shared/domain/events/local-day.ts';
import { arrivingStatuses, overviewBounds } from '#shared/domain/lists/overview-bounds.ts';
import { type Status, statuses } from '#shared/domain/record/shipment.ts';
import { readRows } from '../read-rows.ts';
import { hasFreshness } from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';

/** The shipments to count. */
export type OverviewScope = { accountId: string; test: boolean };

/** Number of active shipments that are late, by status, from a partial index. */
export async function countLate(tx: Tx, { accountId, test }: OverviewScope): Promise<Map<Status, number>> {
  const rows = await readRows<{ status: Status; late: number }>(tx, {
    name: 'count-late',
    text: `
      select wanted.status, late.counted as late
      from unnest($3::text[]) as wanted (status)
      cross join lateral (
        select count(*) as counted from (
          select from landfall.shipments as s
          where s.account_id = $1 and s.test = $2 and s.status = wanted.status and s.late_from <= now() and s.archived_at is null
            and s.status not in ('delivered', 'returned', 'failed', 'cancelled')
          limit ${overviewBounds.late}
        ) as found
      ) as late
      where late.counted > 0`,
    values: [accountId, test, statuses],
  });
  return new Map(rows.map(({ status, late }) => [status, late]));
}

/** Number of stale shipments. */
export async function countStaleShipments(tx: Tx, { accountId, test }: OverviewScope): Promise<number> {
  const rows = await readRows<{ counted: number }>(tx, {
    name: 'count-stale-shipments',
    text: `
      select count(*) as counted from (
        select from landfall.polling as p
        cross join lateral (
          select from landfall.shipments as s
          where s.account_id = $1 and s.id = p.shipment_id and s.test = $2 and s.archived_at is null
          offset 0
        ) as s
        where p.account_id = $1 and ${hasFreshness('stale')}
        limit ${overviewBounds.stale}
      ) as found`,
    values: [accountId, test],
  });
  return rows[0]?.counted ?? 0;
}

/** Number of active shipments expected on this day, `2026-04-15`, where they arrive. */
export async function countArriving(tx: Tx, { accountId, test }: OverviewScope, day: string): Promise<number> {
  // The index is over the instants of all time zones' days.
  const { first, last } = instantsOfDay(day);
  const rows = await readRows<{ counted: number }>(tx, {
    name: 'count-arriving',
    text: `
      select count(*) as counted from (
        select from landfall.shipments as s
        where s.account_id = $1 and s.test = $2 and s.archived_at is null
          and s.eta_day = $3::date and s.eta between $4::timestamptz and $5::timestamptz
          and s.status in (${arrivingStatuses.map((status) => `'${status}'`).join(', ')})
        -- Without it, a day with many arrivals would scan the whole table.
        order by s.eta
        limit ${overviewBounds.arriving}
      ) as found`,
    values: [accountId, test, day, first, last],
  });
  return rows[0]?.counted ?? 0;
}
