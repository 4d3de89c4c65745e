import type { EndpointStats, RecentStats } from '#shared/domain/webhooks/stats.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Deliveries that the statistics are computed from, the newest ones. */
const maxCounted = 100_000;

type HourRow = {
  hour: string;
  delivered: number;
  waiting: number;
  exhausted: number;
  counted: number;
  p50: number | null;
  p95: number | null;
};

/** Statistics of the last `hours` hours, of at most 100,000 deliveries. */
export async function readStats(
  tx: Tx,
  accountId: string,
  { endpointId, test, hours }: { endpointId: string; test: boolean; hours: number },
): Promise<Omit<EndpointStats, 'backlog'>> {
  const rows = await readRows<HourRow>(tx, {
    name: 'read-webhook-stats',
    text: `
      with counted as materialized (
        select d.created_at, d.state, case when d.state = 'delivered' then d.latency_ms end as latency_ms
        from landfall.webhook_deliveries as d
        where d.account_id = $1 and d.endpoint_id = $2 and d.created_at >= now() - make_interval(hours => $3)
          -- Ids begin with the time, so that the index leaves out everything before.
          and d.id >= uuidv7(make_interval(hours => -$3, mins => -1))
        order by d.id desc
        limit ${maxCounted}
      )
      select date_trunc('hour', created_at, 'UTC') as hour,
        count(*) filter (where state = 'delivered') as delivered,
        count(*) filter (where state = 'waiting') as waiting,
        count(*) filter (where state = 'exhausted') as exhausted,
        count(*) as counted,
        percentile_disc(0.5) within group (order by latency_ms) as p50,
        percentile_disc(0.95) within group (order by latency_ms) as p95
      from counted
      group by grouping sets ((), (date_trunc('hour', created_at, 'UTC')))
      order by hour nulls first`,
    values: [accountId, endpointId, hours],
  });
  const [all, ...byHour] = rows;
  return {
    hours,
    ...statsOf(all),
    isSample: all?.counted === maxCounted,
    byHour: byHour.map((row) => ({ hour: row.hour, ...statsOf(row) })),
    oldestUndeliveredAt: await readOldestUndelivered(tx, accountId, { endpointId, test }),
  };
}

const recentHours = 24;
/** Of each endpoint of a list: enough for a share and a percentile, and 50 of them are read at once. */
const maxRecent = 2000;

/** Reads the statistics of endpoints for the last 24 hours, by their ids, each by its newest 2,000 deliveries. */
export async function readRecentStats(
  tx: Tx,
  accountId: string,
  endpointIds: readonly string[],
): Promise<Map<string, RecentStats>> {
  const rows = await readRows<Omit<HourRow, 'hour'> & { endpointId: string }>(tx, {
    name: 'read-recent-webhook-stats',
    text: `
      select g.id as endpoint_id, s.*
      from unnest($2::uuid[]) as g (id)
      cross join lateral (
        select count(*) filter (where c.state = 'delivered') as delivered,
          count(*) filter (where c.state = 'waiting') as waiting,
          count(*) filter (where c.state = 'exhausted') as exhausted,
          count(*) as counted,
          percentile_disc(0.5) within group (order by c.latency_ms) as p50,
          percentile_disc(0.95) within group (order by c.latency_ms) as p95
        from (
          select d.state, case when d.state = 'delivered' then d.latency_ms end as latency_ms
          from landfall.webhook_deliveries as d
          where d.account_id = $1 and d.endpoint_id = g.id and d.created_at >= now() - make_interval(hours => ${recentHours})
            and d.id >= uuidv7(make_interval(hours => -${recentHours}, mins => -1))
          order by d.id desc
          limit ${maxRecent}
        ) as c
      ) as s`,
    values: [accountId, endpointIds],
  });
  return new Map(
    rows.map((row) => [row.endpointId, { hours: recentHours, ...statsOf(row), isSample: row.counted === maxRecent }]),
  );
}

function statsOf(row: Omit<HourRow, 'hour'> | undefined) {
  return {
    delivered: row?.delivered ?? 0,
    waiting: row?.waiting ?? 0,
    exhausted: row?.exhausted ?? 0,
    p50Ms: row?.p50 ?? null,
    p95Ms: row?.p95 ?? null,
  };
}

/** When the oldest change happened that waits for the endpoint, tried or not. Null: none waits. */
async function readOldestUndelivered(
  tx: Tx,
  accountId: string,
  { endpointId, test }: { endpointId: string; test: boolean },
): Promise<string | null> {
  const rows = await readRows<{ oldest: string | null }>(tx, {
    name: 'read-oldest-undelivered',
    text: `
      select least(
        (
          select min(w.created_at)
          from (
            select d.created_at from landfall.webhook_deliveries as d
            where d.account_id = $1 and d.endpoint_id = $2 and d.state = 'waiting'
            -- The longer a delivery has waited, the longer its next pause: the oldest are among these.
            order by d.next_try_at desc
            limit 10000
          ) as w
        ),
        (
          select f.created_at
          from landfall.webhook_cursors as c
          cross join lateral (
            select created_at from landfall.changes
            where account_id = $1 and test = $3 and sequence > c.sequence
            order by sequence
            limit 1
          ) as f
          where c.account_id = $1 and c.endpoint_id = $2
        )
      ) as oldest`,
    values: [accountId, endpointId, test],
  });
  return rows[0]?.oldest ?? null;
}
