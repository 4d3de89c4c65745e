import type { Unreadable } from '#shared/domain/events/unreadable.ts';
import type { RefreshOutcome, TrackingReason, TrackingState } from '#shared/domain/record/shipment.ts';
import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

/**
 * The polling state after a refresh. Intervals are seconds from Postgres's now. `readingHash` and `answerHash` are hex;
 * null keeps the last one.
 */
export type PollingOutcome = {
  epoch: number;
  state: TrackingState;
  reason: TrackingReason | null;
  nextRefreshInS: number | null;
  staleInS: number | null;
  consecutiveFailures: number;
  readingHash: string | null;
  /** Belongs to the reading: a new reading without an answer hash clears the last one. */
  answerHash: string | null;
  source: string | null;
  traceId: string | null;
  /** True when the trace store will keep the trace. */
  traceKept: boolean;
  succeeded: boolean;
  changed: boolean;
  /** The carrier's data was read, so that `unreadable` replaces that of the last reading. */
  read: boolean;
  unreadable: Unreadable | null;
};

/**
 * Completes locked claims (`lockClaims`): records the outcome of each refresh, releases the lease and schedules the
 * next refresh.
 */
export async function finishClaims(
  tx: Tx,
  accountId: string,
  outcomes: readonly (PollingOutcome & { shipmentId: string })[],
): Promise<void> {
  if (outcomes.length === 0) return;
  await tx.query({
    name: 'finish-claims',
    text: `
      update landfall.polling as p
      set state = o.state, reason = o.reason, next_refresh_at = now() + make_interval(secs => o."nextRefreshInS"),
        stale_at = now() + make_interval(secs => o."staleInS"), consecutive_failures = o."consecutiveFailures",
        reading_hash = coalesce(decode(o."readingHash", 'hex'), p.reading_hash),
        answer_hash = case when o."readingHash" is null and o."answerHash" is null then p.answer_hash else decode(o."answerHash", 'hex') end,
        source = coalesce(o.source, p.source), trace_id = o."traceId", trace_kept = o."traceKept", attempts = p.attempts + 1, last_refreshed_at = now(),
        lease_until = null, hurried = false, last_succeeded_at = case when o.succeeded then now() else p.last_succeeded_at end,
        last_changed_at = case when o.changed then now() else p.last_changed_at end,
        unreadable = case when o.read then o.unreadable else p.unreadable end
      from json_to_recordset($2::json) as o ("shipmentId" uuid, epoch bigint, state text, reason text, "nextRefreshInS" float8, "staleInS" float8,
        "consecutiveFailures" integer, "readingHash" text, "answerHash" text, source text, "traceId" text, "traceKept" boolean, succeeded boolean, changed boolean,
        read boolean, unreadable jsonb)
      -- The array parameter keeps the planner from reading all rows of an account that has just grown, for which it
      -- still expects a single row.
      where p.account_id = $1 and p.shipment_id = o."shipmentId" and p.shipment_id = any ($3::uuid[]) and p.epoch = o.epoch`,
    values: [accountId, JSON.stringify(outcomes), outcomes.map(({ shipmentId }) => shipmentId)],
  });
}

/** One refresh, as stored. */
export type Refresh = {
  outcome: RefreshOutcome;
  reason: TrackingReason | null;
  httpStatus: number | null;
  durationMs: number;
  eventsAdded: number;
  source: string | null;
  traceId: string | null;
  traceKept: boolean;
  /** The reason in words, for the account. */
  detail?: string | null;
  /**
   * Parts of the response that could not be read. `as_last_reading`: the response was not read, because it is the last
   * one again.
   */
  unreadable?: Unreadable | 'as_last_reading' | null;
};

/** A stored row: one refresh, or a run of unchanged refreshes. Times are ISO UTC. */
export type KeptRefresh = Omit<Refresh, 'detail' | 'unreadable'> & {
  detail: string | null;
  unreadable: Unreadable | null;
  firstAt: string;
  lastAt: string;
  count: number;
};

/** Rows kept for each shipment. */
export const maxRefreshes = 20;

/**
 * Stores a refresh. A run of unchanged refreshes is one row with a count. Beyond 20 rows, a shipment's oldest rows are
 * deleted.
 */
export async function insertRefresh(tx: Tx, accountId: string, shipmentId: string, refresh: Refresh): Promise<void> {
  await insertRefreshes(tx, accountId, [{ ...refresh, shipmentId }]);
}

/**
 * The same for refreshes of several shipments, one of each. The array parameters keep the planner from reading all
 * refreshes of an account that has just grown, for which it still expects a single row.
 */
export async function insertRefreshes(
  tx: Tx,
  accountId: string,
  refreshes: readonly (Refresh & { shipmentId: string })[],
): Promise<void> {
  if (refreshes.length === 0) return;
  await tx.query({
    name: 'keep-refreshes',
    text: `
      with given as (
        select "shipmentId", outcome, reason, "httpStatus", "durationMs", "eventsAdded", source, "traceId", "traceKept", detail,
          case when "asLastReading"
            then (select p.unreadable from landfall.polling as p where p.account_id = $1 and p.shipment_id = "shipmentId") else unreadable
          end as unreadable
        from json_to_recordset($2::json) as g ("shipmentId" uuid, outcome text, reason text, "httpStatus" integer, "durationMs" float8,
          "eventsAdded" integer, source text, "traceId" text, "traceKept" boolean, detail text, unreadable jsonb, "asLastReading" boolean)
      ),
      run as (
        select g.*, latest.id as refresh_id
        from given as g
        left join lateral (
          select id, outcome, source, reason, detail, unreadable from landfall.refreshes
          where account_id = $1 and shipment_id = g."shipmentId" and g.outcome = 'unchanged'
          order by id desc
          limit 1
        ) as latest on latest.outcome = 'unchanged' and latest.source is not distinct from g.source
          and (latest.reason, latest.detail, latest.unreadable) is not distinct from (g.reason, g.detail, g.unreadable)
      ),
      folded as (
        update landfall.refreshes as l
        set count = l.count + 1, last_at = now(), http_status = run."httpStatus", duration_ms = run."durationMs", trace_id = run."traceId",
          trace_kept = run."traceKept"
        from run
        where l.account_id = $1 and l.id = run.refresh_id and l.id = any (array(select refresh_id from run))
      ),
      added as (
        insert into landfall.refreshes (account_id, shipment_id, outcome, http_status, duration_ms, events_added, trace_id, trace_kept, reason, source, detail,
          unreadable)
        select $1, "shipmentId", outcome, "httpStatus", "durationMs", "eventsAdded", "traceId", "traceKept", reason, source, detail, unreadable
        from run
        where refresh_id is null
        returning shipment_id
      ),
      old as materialized (
        select surplus.id
        from added as a
        cross join lateral (
          select id from landfall.refreshes
          where account_id = $1 and shipment_id = a.shipment_id
          order by id desc
          offset ${maxRefreshes - 1}
        ) as surplus
      )
      delete from landfall.refreshes where account_id = $1 and id = any (array(select id from old))`,
    values: [
      accountId,
      JSON.stringify(
        refreshes.map(({ unreadable, ...refresh }) =>
          unreadable === 'as_last_reading' ? { ...refresh, asLastReading: true } : { ...refresh, unreadable },
        ),
      ),
    ],
  });
}

/** The stored refreshes of a shipment, newest first. */
export async function readRefreshes(tx: Tx, accountId: string, shipmentId: string): Promise<KeptRefresh[]> {
  return readRows<KeptRefresh>(tx, {
    name: 'read-refreshes',
    text: `
      select outcome, reason, http_status, duration_ms, events_added, source, trace_id, trace_kept, detail, unreadable, first_at, last_at, count
      from landfall.refreshes
      where account_id = $1 and shipment_id = $2
      order by id desc
      limit ${maxRefreshes}`,
    values: [accountId, shipmentId],
  });
}

export function toKeptRefresh(row: KeptRefresh): KeptRefresh {
  return {
    outcome: row.outcome,
    reason: row.reason,
    httpStatus: row.httpStatus,
    durationMs: row.durationMs,
    eventsAdded: row.eventsAdded,
    source: row.source,
    traceId: row.traceId,
    traceKept: row.traceKept,
    detail: row.detail,
    unreadable: row.unreadable,
    firstAt: row.firstAt,
    lastAt: row.lastAt,
    count: row.count,
  };
}
