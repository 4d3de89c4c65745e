import type { FigureScope, TrackingFigures } from '#shared/domain/analytics/figures.ts';
import { notFoundReasons, openStatuses, trackedStates } from '#shared/domain/analytics/tracked.ts';
import { readRows } from '../read-rows.ts';
import { hasFreshness, shipmentTables } from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';
import { cellConditions } from './arrival-figures.ts';
import type { AnalyticsKey } from './cursors.ts';

/** Modes of accounts whose open shipments were last measured before `before` (ISO UTC), at most `limit`. */
export async function findUnmeasured(
  tx: Tx,
  { before, limit }: { before: string; limit: number },
): Promise<AnalyticsKey[]> {
  return readRows<{ accountId: string; test: boolean }>(tx, {
    name: 'find-unmeasured-tracking',
    text: `
      select c.account_id, c.test
      from landfall.analytics_cursors as c
      join landfall.accounts as a on a.id = c.account_id and a.removed_at is null
      where c.measured_at is null or c.measured_at < $1
      -- One that can't be measured must not take every run.
      order by random()
      limit $2`,
    values: [before, limit],
  });
}

/**
 * Counts how tracking of the open shipments goes and keeps it. In a transaction that has locked the cursor. Freshness
 * passes by time alone, so this can't follow the feed. It reads open shipments by the index over their status.
 */
export async function measureTracking(tx: Tx, { accountId, test }: AnalyticsKey): Promise<void> {
  await tx.query({
    name: 'clear-tracking-cells',
    text: 'delete from landfall.tracking_cells where account_id = $1 and test = $2',
    values: [accountId, test],
  });
  await tx.query({
    name: 'count-tracking-cells',
    text: `
      insert into landfall.tracking_cells (account_id, test, carrier, transport_mode, tracked, current, stale, waiting, not_found, failed)
      select $1, $2, s.carrier, s.transport_mode, count(*),
        count(*) filter (where ${hasFreshness('fresh')}),
        count(*) filter (where ${hasFreshness('stale')}),
        count(*) filter (where ${hasFreshness('never')}),
        count(*) filter (where p.reason = any ($5::text[])),
        count(*) filter (where p.state = 'failed')
      from ${shipmentTables}
      where s.account_id = $1 and s.test = $2 and s.status = any ($3::text[]) and s.archived_at is null
        and p.state = any ($4::text[])
      group by s.carrier, s.transport_mode`,
    values: [accountId, test, openStatuses, trackedStates, notFoundReasons],
  });
  await tx.query({
    name: 'keep-tracking-measured',
    text: 'update landfall.analytics_cursors set measured_at = now() where account_id = $1 and test = $2',
    values: [accountId, test],
  });
}

type Row = {
  carrier: string | null;
  registered: number | null;
  known: number | null;
  median: number | null;
  p90: number | null;
  tracked: number | null;
  current: number | null;
  stale: number | null;
  waiting: number | null;
  notFound: number | null;
  failed: number | null;
};

/** The figures of each carrier, and with `carrier` null those of all. */
export async function readTrackingFigures(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
  scope: Pick<FigureScope, 'from' | 'to' | 'transportMode' | 'carrier'>,
): Promise<{ carrier: string | null; figures: TrackingFigures }[]> {
  const values: unknown[] = [accountId, test];
  const add = (value: unknown) => `$${values.push(value)}`;
  const conditions = cellConditions(add, scope);
  // The state of open shipments is that of now, whenever they were registered.
  const open = conditions.filter((condition) => !condition.startsWith('f.day'));
  const rows = await readRows<Row>(tx, {
    text: `
      with chosen as (
        select f.* from landfall.registration_cells as f where ${conditions.join(' and ')}
      ),
      registered as (
        select carrier, sum(registered) as registered from chosen group by grouping sets ((), (carrier))
      ),
      first_event as (
        select carrier, count(*) as known,
          percentile_cont(array[0.5, 0.9]) within group (order by minutes::float8) as spread
        from chosen
        cross join lateral unnest(first_event_minutes) as minutes
        group by grouping sets ((), (carrier))
      ),
      open as (
        select f.carrier, sum(f.tracked) as tracked, sum(f.current) as current, sum(f.stale) as stale,
          sum(f.waiting) as waiting, sum(f.not_found) as not_found, sum(f.failed) as failed
        from landfall.tracking_cells as f
        where ${open.join(' and ')}
        group by grouping sets ((), (f.carrier))
      ),
      carriers as (select carrier from registered union select carrier from open)
      select c.carrier, r.registered, e.known, e.spread[1] as median, e.spread[2] as p90, o.tracked, o.current, o.stale,
        o.waiting, o.not_found, o.failed
      from carriers as c
      left join registered as r on r.carrier is not distinct from c.carrier
      left join first_event as e on e.carrier is not distinct from c.carrier
      left join open as o on o.carrier is not distinct from c.carrier
      order by greatest(coalesce(r.registered, 0), coalesce(o.tracked, 0)) desc, c.carrier`,
    values,
  });
  return rows.map((row) => ({ carrier: row.carrier, figures: toFigures(row) }));
}

function toFigures(row: Row): TrackingFigures {
  return {
    registered: Number(row.registered ?? 0),
    firstEvent: { known: Number(row.known ?? 0), median: row.median, p90: row.p90 },
    tracked: Number(row.tracked ?? 0),
    current: Number(row.current ?? 0),
    stale: Number(row.stale ?? 0),
    waiting: Number(row.waiting ?? 0),
    notFound: Number(row.notFound ?? 0),
    failed: Number(row.failed ?? 0),
  };
}
