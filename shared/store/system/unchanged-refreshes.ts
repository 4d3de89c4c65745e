import type { Tx } from '../open-store.ts';
import { isLeased, type PollingOutcome } from '../tracking/polling.ts';

/**
 * A refresh that found no change, and the polling state after it. State, reason and the reading's hash stay the same.
 */
export type UnchangedRefresh = Pick<
  PollingOutcome,
  'epoch' | 'nextRefreshInS' | 'staleInS' | 'answerHash' | 'source' | 'traceId'
> & {
  accountId: string;
  shipmentId: string;
  httpStatus: number | null;
  durationMs: number;
};

const refreshesKept = 20;

/**
 * Does the work of `finishClaims` and `insertRefreshes` for unchanged refreshes of any accounts: one narrow update each
 * of the polling row and of the run of unchanged refreshes. Returns the completed shipments. It skips shipments with a
 * newer epoch, an expired lease or a lock held elsewhere, which the caller completes one by one, so that no shipment
 * waits for another.
 */
export async function finishUnchanged(tx: Tx, refreshes: readonly UnchangedRefresh[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ shipment_id: string }>({
    name: 'finish-unchanged',
    text: `
      with given as (
        select * from json_to_recordset($1::json) as l ("accountId" uuid, "shipmentId" uuid, epoch bigint, "nextRefreshInS" float8, "staleInS" float8,
          "answerHash" text, source text, "traceId" text, "httpStatus" integer, "durationMs" float8)
      ),
      free as (
        select g.*
        from given as g
        join landfall.polling as p on p.account_id = g."accountId" and p.shipment_id = g."shipmentId"
        where p.epoch = g.epoch and ${isLeased}
        for no key update of p skip locked
      ),
      finished as (
        update landfall.polling as p
        set next_refresh_at = now() + make_interval(secs => f."nextRefreshInS"), stale_at = now() + make_interval(secs => f."staleInS"),
          consecutive_failures = 0, answer_hash = coalesce(decode(f."answerHash", 'hex'), p.answer_hash), source = coalesce(f.source, p.source),
          trace_id = f."traceId", attempts = p.attempts + 1, last_refreshed_at = now(), last_succeeded_at = now(), lease_until = null
        from free as f
        where p.account_id = f."accountId" and p.shipment_id = f."shipmentId" and p.epoch = f.epoch and ${isLeased}
        returning p.account_id, p.shipment_id, f.source, f."traceId" as trace_id, f."httpStatus" as http_status, f."durationMs" as duration_ms
      ),
      latest as (
        select f.*, l.id as refresh_id
        from finished as f
        left join lateral (
          select id, outcome, source from landfall.refreshes
          where account_id = f.account_id and shipment_id = f.shipment_id
          order by id desc
          limit 1
        ) as l on l.outcome = 'unchanged' and l.source is not distinct from f.source
      ),
      folded as (
        update landfall.refreshes as l
        set count = l.count + 1, last_at = now(), http_status = latest.http_status, duration_ms = latest.duration_ms, trace_id = latest.trace_id
        from latest
        where l.account_id = latest.account_id and l.id = latest.refresh_id
      ),
      added as (
        insert into landfall.refreshes (account_id, shipment_id, outcome, http_status, duration_ms, events_added, trace_id, source)
        select account_id, shipment_id, 'unchanged', http_status, duration_ms, 0, trace_id, source
        from latest
        where refresh_id is null
        returning account_id, shipment_id
      ),
      old as materialized (
        select a.account_id, surplus.id
        from added as a
        cross join lateral (
          select id from landfall.refreshes
          where account_id = a.account_id and shipment_id = a.shipment_id
          order by id desc
          offset ${refreshesKept - 1}
        ) as surplus
      ),
      pruned as (
        delete from landfall.refreshes as l using old where l.account_id = old.account_id and l.id = old.id
      )
      select shipment_id from finished`,
    values: [JSON.stringify(refreshes)],
  });
  return new Set(rows.map((row) => row.shipment_id));
}
