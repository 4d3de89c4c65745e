import type { LookOutcome, TrackingReason } from '#shared/domain/shipment.ts';
import type { Tx } from './open-store.ts';

/** One look at the carrier, as it is kept. */
export type Look = {
  outcome: LookOutcome;
  reason: TrackingReason | null;
  httpStatus: number | null;
  durationMs: number;
  eventsAdded: number;
  source: string | null;
  traceId: string | null;
};

/** A row of looks: one look, or a run of unchanged ones that ends with the last. Times are ISO UTC. */
export type KeptLook = Look & { firstAt: string; lastAt: string; count: number };

const looksKept = 20;

/** Keeps a look: a run of unchanged ones is one row with a count; beyond 20 rows a shipment's oldest go. */
export async function keepLook(tx: Tx, accountId: string, shipmentId: string, look: Look): Promise<void> {
  await keepLooks(tx, accountId, [{ ...look, shipmentId }]);
}

/**
 * The same for looks at several shipments, one of each. The arrays keep the planner from reading all looks of an account that has just grown,
 * whose rows it takes for one.
 */
export async function keepLooks(
  tx: Tx,
  accountId: string,
  looks: readonly (Look & { shipmentId: string })[],
): Promise<void> {
  if (looks.length === 0) return;
  await tx.query({
    name: 'keep-looks',
    text: `
      with given as (
        select * from json_to_recordset($2::json) as g ("shipmentId" uuid, outcome text, reason text, "httpStatus" integer, "durationMs" float8,
          "eventsAdded" integer, source text, "traceId" text)
      ),
      run as (
        select g.*, latest.id as look_id
        from given as g
        left join lateral (
          select id, outcome, source from landfall.looks
          where account_id = $1 and shipment_id = g."shipmentId"
          order by id desc
          limit 1
        ) as latest on latest.outcome = 'unchanged' and g.outcome = 'unchanged' and latest.source is not distinct from g.source
      ),
      folded as (
        update landfall.looks as l
        set count = l.count + 1, last_at = now(), http_status = run."httpStatus", duration_ms = run."durationMs", trace_id = run."traceId"
        from run
        where l.account_id = $1 and l.id = run.look_id and l.id = any (array(select look_id from run))
      ),
      added as (
        insert into landfall.looks (account_id, shipment_id, outcome, http_status, duration_ms, events_added, trace_id, reason, source)
        select $1, "shipmentId", outcome, "httpStatus", "durationMs", "eventsAdded", "traceId", reason, source
        from run
        where look_id is null
        returning shipment_id
      ),
      old as materialized (
        select surplus.id
        from added as a
        cross join lateral (
          select id from landfall.looks
          where account_id = $1 and shipment_id = a.shipment_id
          order by id desc
          offset ${looksKept - 1}
        ) as surplus
      )
      delete from landfall.looks where account_id = $1 and id = any (array(select id from old))`,
    values: [accountId, JSON.stringify(looks)],
  });
}

type LookRow = {
  outcome: LookOutcome;
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

/** The looks that are kept of a shipment, newest first. */
export async function readLooks(tx: Tx, accountId: string, shipmentId: string): Promise<KeptLook[]> {
  const { rows } = await tx.query<LookRow>({
    name: 'read-looks',
    text: `
      select outcome, reason, http_status, duration_ms, events_added, source, trace_id, first_at, last_at, count
      from landfall.looks
      where account_id = $1 and shipment_id = $2
      order by id desc
      limit ${looksKept}`,
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
