import type { TrackingReason } from '#shared/domain/record/shipment.ts';
import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

const readTimeoutMs = 3000;
const newestOfAccount = 500;
/** Limits over all accounts: enough to diagnose a problem, regardless of the number of accounts. */
const maxRefreshes = 5000;
const maxCounted = 10_000;

export type ConnectorRow = {
  connector: string;
  requests: number;
  succeeded: number;
  latencyP50Ms: number | null;
  latencyP95Ms: number | null;
  circuit: 'closed' | 'half_open' | 'open';
  budgetLeft: number;
  closedForS: number | null;
  lastSuccessAt: string | null;
  lastErrorAt: string | null;
  lastErrorReason: TrackingReason | null;
};

/** Limits the duration of the statements in this transaction, because they only serve a status page. */
export async function limitReadTime(tx: Tx): Promise<void> {
  await tx.query(`set local statement_timeout = ${readTimeoutMs}`);
}

/** The current state of carriers as reported by live workers: sums of calls, and the worst of the other values. */
export async function readConnectorStates(tx: Tx): Promise<ConnectorRow[]> {
  return readRows<ConnectorRow>(tx, {
    name: 'read-connector-states',
    text: `
      select connector, sum(requests)::integer as requests, sum(succeeded)::integer as succeeded, max(latency_p50_ms) as latency_p50_ms,
        max(latency_p95_ms) as latency_p95_ms,
        case when bool_or(circuit = 'open') then 'open' when bool_or(circuit = 'half_open') then 'half_open' else 'closed' end as circuit,
        min(budget_left) as budget_left, extract(epoch from max(closed_until) - now())::float8 as closed_for_s,
        max(last_success_at) as last_success_at, max(last_error_at) as last_error_at,
        (array_agg(last_error_reason order by last_error_at desc nulls last))[1] as last_error_reason
      from landfall.carrier_health
      where updated_at > now() - interval '30 seconds'
      group by connector
      order by connector`,
  });
}

/** Due shipments without a lease, by connector: the age of the oldest in seconds, and their number up to 10,000. */
export async function readDue(
  tx: Tx,
  connectors: readonly string[],
): Promise<{ connector: string; oldestAgeS: number; due: number }[]> {
  return readRows<{ connector: string; oldestAgeS: number; due: number }>(tx, {
    name: 'read-due',
    text: `
      select c.connector, extract(epoch from now() - min(p.next_refresh_at))::float8 as oldest_age_s, count(*)::integer as due
      from unnest($1::text[]) as c (connector)
      cross join lateral (
        select next_refresh_at from landfall.polling
        where connector = c.connector and next_refresh_at <= now() and (lease_until is null or lease_until <= now())
        order by next_refresh_at
        limit ${maxCounted}
      ) as p
      group by c.connector`,
    values: [connectors],
  });
}

/** Suspended credentials, by connector. */
export async function readSuspended(tx: Tx): Promise<{ connector: string; suspended: number }[]> {
  return readRows<{ connector: string; suspended: number }>(tx, {
    name: 'read-suspended',
    text: `
      select connector, count(*)::integer as suspended
      from (
        select connector from landfall.instance_credentials where suspended_at is not null
        union all
        select connector from landfall.carrier_credentials where suspended_at is not null
      ) as s
      group by connector`,
  });
}

/** Events first seen in the last 24 hours that could not be read, by connector: up to 10,000 in all. */
export async function readUnreadableEvents(tx: Tx): Promise<{ connector: string; events: number }[]> {
  return readRows<{ connector: string; events: number }>(tx, {
    name: 'read-unreadable-events',
    text: `
      select s.connector, count(*)::integer as events
      from (
        select account_id, shipment_id from landfall.unreadable_events
        where seen_at > now() - interval '24 hours'
        order by seen_at desc
        limit ${maxCounted}
      ) as r
      join landfall.shipments as s on s.account_id = r.account_id and s.id = r.shipment_id
      where not s.test
      group by s.connector`,
  });
}

export type FailedRefreshRow = {
  id: string;
  lastAt: string;
  carrier: string;
  connector: string;
  shipmentId: string;
  reason: TrackingReason | null;
  httpStatus: number | null;
  durationMs: number;
  traceId: string | null;
};

/** Failed refreshes of the last 15 minutes: the newest 500 of each account, at most 5,000. Ids are ordered by time. */
export async function readFailedRefreshes(tx: Tx): Promise<FailedRefreshRow[]> {
  const rows = await readRows<FailedRefreshRow>(tx, {
    name: 'read-failed-refreshes',
    text: `
      select l.id, l.last_at, s.carrier, s.connector, l.shipment_id, l.reason, l.http_status, l.duration_ms, l.trace_id
      from landfall.accounts as a
      cross join lateral (
        select id, last_at, shipment_id, outcome, reason, http_status, duration_ms, trace_id
        from landfall.refreshes
        where account_id = a.id and id > uuidv7(interval '-15 minutes')
        order by id desc
        limit ${newestOfAccount}
      ) as l
      join landfall.shipments as s on s.account_id = a.id and s.id = l.shipment_id
      where l.outcome in ('error', 'not_found') and not s.test
      limit ${maxRefreshes}`,
  });
  return rows.toSorted((left, right) => Date.parse(right.lastAt) - Date.parse(left.lastAt));
}

/**
 * The p95 duration of refreshes that got a response, by connector, over the last two days without the last ten minutes.
 * Only connectors with at least 20 refreshes.
 */
export async function readUsualDurations(tx: Tx): Promise<{ connector: string; usualMs: number }[]> {
  return readRows<{ connector: string; usualMs: number }>(tx, {
    name: 'read-usual-durations',
    text: `
      select connector, percentile_cont(0.95) within group (order by duration_ms) as usual_ms
      from (
        select s.connector, l.duration_ms
        from landfall.accounts as a
        cross join lateral (
          select shipment_id, outcome, duration_ms
          from landfall.refreshes
          where account_id = a.id and id < uuidv7(interval '-10 minutes') and id > uuidv7(interval '-2 days')
          order by id desc
          limit ${newestOfAccount}
        ) as l
        join landfall.shipments as s on s.account_id = a.id and s.id = l.shipment_id
        where l.outcome <> 'error' and not s.test
        limit ${maxRefreshes}
      ) as known
      group by connector
      having count(*) >= 20`,
  });
}

export type Throughput = {
  workers: number;
  loopDelayMs: number | null;
  /** Since one of them completed a refresh or started, in seconds. */
  completedAgeS: number | null;
  registered: number;
};

/**
 * Workers with a heartbeat in the last 20 s, the worst of their event loop delays (p99), and shipments registered in the last minute (up to 10,000 of each
 * account).
 */
export async function readThroughput(tx: Tx): Promise<Throughput> {
  const rows = await readRows<Throughput>(tx, {
    name: 'read-throughput',
    text: `
      select
        live.workers,
        live.loop_delay_ms,
        extract(epoch from now() - live.completed_at)::float8 as completed_age_s,
        (
          select count(*)::integer
          from landfall.accounts as a
          cross join unnest(array[false, true]) as side (test)
          cross join lateral (
            select from landfall.shipments
            where account_id = a.id and test = side.test and created_at > now() - interval '1 minute'
            limit ${maxCounted}
          ) as s
        ) as registered
      from (
        select count(*)::integer as workers, max(loop_delay_ms) as loop_delay_ms, max(completed_at) as completed_at
        from landfall.workers
        where seen_at > now() - interval '20 seconds'
      ) as live`,
  });
  return rows[0] ?? { workers: 0, loopDelayMs: null, completedAgeS: null, registered: 0 };
}
