import type { Shipment, TrackingReason, TrackingState } from '#shared/domain/record/shipment.ts';
import { readRows } from '../read-rows.ts';
import { rowColumns, type StoredShipmentRow, shipmentTables, toShipment } from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';

/** A shipment that is locked together with its polling row. Times by Postgres's clock. */
export type LockedForPush = {
  shipment: Shipment;
  connector: string;
  trackingSince: string;
  /** ISO UTC. */
  now: string;
  /** Its events are packed. */
  settled: boolean;
};

type LockedRow = StoredShipmentRow & {
  connector: string;
  trackingSince: string;
  now: string;
  settled: boolean;
};

/**
 * Locks shipments and their polling rows until the transaction ends, in the order in which refreshes lock them, and
 * returns them by id, without the events and the ETA history of their journeys. Ids that the account doesn't have in
 * this mode (test or live) are absent.
 */
export async function lockForPush(
  tx: Tx,
  accountId: string,
  { ids, test }: { ids: readonly string[]; test: boolean },
): Promise<Map<string, LockedForPush>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows<LockedRow>(tx, {
    name: 'lock-for-push',
    text: `
      select ${rowColumns}, p.connector, coalesce(p.tracking_since, s.created_at) as tracking_since,
        s.settled_at is not null as settled, now() as now
      from ${shipmentTables}
      where s.account_id = $1 and s.id = any ($2::uuid[]) and s.test = $3
      order by s.id
      for no key update of s, p`,
    values: [accountId, ids, test],
  });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        shipment: toShipment(row),
        connector: row.connector,
        trackingSince: row.trackingSince,
        now: row.now,
        settled: row.settled,
      },
    ]),
  );
}

/**
 * The polling state after a push. Intervals are seconds from Postgres's now. `fenced`: a refresh in progress is based
 * on older state and is rejected. `endsInS`: when pushed tracking ends by itself; null for polled shipments.
 */
export type PushOutcome = {
  shipmentId: string;
  state: TrackingState;
  reason: TrackingReason | null;
  nextRefreshInS: number | null;
  staleInS: number | null;
  endsInS: number | null;
  source: string;
  traceId: string | null;
  traceKept: boolean;
  changed: boolean;
  fenced: boolean;
};

/**
 * Records pushes to locked shipments. They never postpone the next refresh, because a constant stream of events could
 * otherwise prevent refreshes. Where nobody polls, silence counts from now.
 */
export async function notePushes(tx: Tx, accountId: string, outcomes: readonly PushOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await tx.query({
    name: 'note-pushes',
    text: `
      update landfall.polling as p
      set state = o.state, reason = o.reason,
        next_refresh_at = least(p.next_refresh_at, now() + make_interval(secs => o."nextRefreshInS")),
        stale_at = case
          when p.stale_after_hours is null then greatest(p.stale_at, now() + make_interval(secs => o."staleInS"))
          else now() + make_interval(secs => o."staleInS")
        end,
        ends_at = now() + make_interval(secs => o."endsInS"),
        source = case when p.stale_after_hours is null then coalesce(p.source, o.source) else o.source end,
        trace_id = coalesce(o."traceId", p.trace_id), trace_kept = case when o."traceId" is null then p.trace_kept else o."traceKept" end,
        last_refreshed_at = case when p.stale_after_hours is null then p.last_refreshed_at else now() end,
        last_succeeded_at = now(), last_changed_at = case when o.changed then now() else p.last_changed_at end,
        epoch = p.epoch + case when o.fenced then 1 else 0 end, lease_until = case when not o.fenced then p.lease_until end
      from json_to_recordset($2::json) as o ("shipmentId" uuid, state text, reason text, "nextRefreshInS" float8, "staleInS" float8,
        "endsInS" float8, source text, "traceId" text, "traceKept" boolean, changed boolean, fenced boolean)
      -- The array parameter keeps the planner from reading all rows of an account that has just grown.
      where p.account_id = $1 and p.shipment_id = o."shipmentId" and p.shipment_id = any ($3::uuid[])`,
    values: [accountId, JSON.stringify(outcomes), outcomes.map(({ shipmentId }) => shipmentId)],
  });
}
