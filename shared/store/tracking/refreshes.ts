import type { RefreshOutcome, TrackingReason } from '#shared/domain/shipments/shipment.ts';
import type { Tx } from '../open-store.ts';

/** One refresh, as stored. */
export type Refresh = {
  outcome: RefreshOutcome;
  reason: TrackingReason | null;
  httpStatus: number | null;
  durationMs: number;
  eventsAdded: number;
  source: string | null;
  traceId: string | null;
};

/** A stored row: one refresh, or a run of unchanged refreshes. Times are ISO UTC. */
export type KeptRefresh = Refresh & { firstAt: string; lastAt: string; count: number };

const refreshesKept = 20;

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
        select * from json_to_recordset($2::json) as g ("shipmentId" uuid, outcome text, reason text, "httpStatus" integer, "durationMs" float8,
          "eventsAdded" integer, source text, "traceId" text)
      ),
      run as (
        select g.*, latest.id as refresh_id
        from given as g
        left join lateral (
          select id, outcome, source from landfall.refreshes
          where account_id = $1 and shipment_id = g."shipmentId"
          order by id desc
          limit 1
        ) as latest on latest.outcome = 'unchanged' and g.outcome = 'unchanged' and latest.source is not distinct from g.source
      ),
      folded as (
        update landfall.refreshes as l
        set count = l.count + 1, last_at = now(), http_status = run."httpStatus", duration_ms = run."durationMs", trace_id = run."traceId"
        from run
        where l.account_id = $1 and l.id = run.refresh_id and l.id = any (array(select refresh_id from run))
      ),
      added as (
        insert into landfall.refreshes (account_id, shipment_id, outcome, http_status, duration_ms, events_added, trace_id, reason, source)
        select $1, "shipmentId", outcome, "httpStatus", "durationMs", "eventsAdded", "traceId", reason, source
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
          offset ${refreshesKept - 1}
        ) as surplus
      )
      delete from landfall.refreshes where account_id = $1 and id = any (array(select id from old))`,
    values: [accountId, JSON.stringify(refreshes)],
  });
}

type RefreshRow = {
  outcome: RefreshOutcome;
  reason: TrackingReason | null;
  http_status: number | null;
  duration_ms: number;
  events_added: number;
  source: string | null;
  trace_id: string | null;
  first_at: Date;
  last_at: Date;
  count: number;
};

/** The stored refreshes of a shipment, newest first. */
export async function readRefreshes(tx: Tx, accountId: string, shipmentId: string): Promise<KeptRefresh[]> {
  const { rows } = await tx.query<RefreshRow>({
    name: 'read-refreshes',
    text: `
      select outcome, reason, http_status, duration_ms, events_added, source, trace_id, first_at, last_at, count
      from landfall.refreshes
      where account_id = $1 and shipment_id = $2
      order by id desc
      limit ${refreshesKept}`,
    values: [accountId, shipmentId],
  });
  return rows.map((row) => ({
    outcome: row.outcome,
    reason: row.reason,
    httpStatus: row.http_status,
    durationMs: row.duration_ms,
    eventsAdded: row.events_added,
    source: row.source,
    traceId: row.trace_id,
    firstAt: row.first_at.toISOString(),
    lastAt: row.last_at.toISOString(),
    count: row.count,
  }));
}
