import type { Tx } from './open-store.ts';
import type { PollingOutcome } from './polling.ts';

/** A look that found what was known, and how polling goes on. State, reason and hash are as they were. */
export type UnchangedLook = Pick<PollingOutcome, 'epoch' | 'nextCheckInS' | 'staleInS' | 'source' | 'traceId'> & {
  shipmentId: string;
  httpStatus: number | null;
  durationMs: number;
};

const looksKept = 20;

/**
 * What `finishClaim` and `keepLook` do, for many looks of one account that found nothing new: one narrow update each of the polling row and of
 * the look that ends the run of unchanged ones. A look whose epoch has moved on or whose lease ran out leaves nothing. Gives the number kept.
 */
export async function finishUnchanged(tx: Tx, accountId: string, looks: readonly UnchangedLook[]): Promise<number> {
  const { rows } = await tx.query<{ finished: number }>({
    name: 'finish-unchanged',
    text: `
      with given as (
        select * from json_to_recordset($2::json) as l ("shipmentId" uuid, epoch bigint, "nextCheckInS" float8, "staleInS" float8, source text,
          "traceId" text, "httpStatus" integer, "durationMs" float8)
      ),
      finished as (
        update landfall.polling as p
        set next_check_at = now() + make_interval(secs => g."nextCheckInS"), stale_at = now() + make_interval(secs => g."staleInS"),
          consecutive_failures = 0, source = coalesce(g.source, p.source), trace_id = g."traceId", attempts = p.attempts + 1,
          last_attempted_at = now(), last_succeeded_at = now(), lease_until = null
        from given as g
        where p.account_id = $1 and p.shipment_id = g."shipmentId" and p.epoch = g.epoch and p.lease_until > now()
        returning p.shipment_id, g.source, g."traceId" as trace_id, g."httpStatus" as http_status, g."durationMs" as duration_ms
      ),
      latest as (
        select f.*, l.id as look_id
        from finished as f
        left join lateral (
          select id, outcome, source from landfall.looks
          where account_id = $1 and shipment_id = f.shipment_id
          order by id desc
          limit 1
        ) as l on l.outcome = 'unchanged' and l.source is not distinct from f.source
      ),
      folded as (
        update landfall.looks as l
        set count = l.count + 1, last_at = now(), http_status = latest.http_status, duration_ms = latest.duration_ms, trace_id = latest.trace_id
        from latest
        where l.account_id = $1 and l.id = latest.look_id
        returning l.id
      ),
      added as (
        insert into landfall.looks (account_id, shipment_id, outcome, http_status, duration_ms, events_added, trace_id, source)
        select $1, shipment_id, 'unchanged', http_status, duration_ms, 0, trace_id, source
        from latest
        where look_id is null
        returning shipment_id
      ),
      pruned as (
        delete from landfall.looks as l
        using added as a
        cross join lateral (
          select id from landfall.looks
          where account_id = $1 and shipment_id = a.shipment_id
          order by id desc
          offset ${looksKept - 1}
        ) as old
        where l.account_id = $1 and l.id = old.id
        returning l.id
      )
      select count(*)::integer as finished from finished`,
    values: [accountId, JSON.stringify(looks)],
  });
  return rows[0]?.finished ?? 0;
}
