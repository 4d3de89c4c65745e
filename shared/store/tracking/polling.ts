import type { TrackingReason, TrackingState } from '#shared/domain/shipments/shipment.ts';
import type { Tx } from '../open-store.ts';

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
  succeeded: boolean;
  changed: boolean;
};

/**
 * Completes claims: records the outcome of each refresh, releases the lease and schedules the next refresh. Returns the
 * completed shipments. For a refresh with an older epoch or an expired lease, nothing is written and the caller must
 * not write anything else (fencing).
 */
export async function finishClaims(
  tx: Tx,
  accountId: string,
  outcomes: readonly (PollingOutcome & { shipmentId: string })[],
): Promise<Set<string>> {
  const { rows } = await tx.query<{ shipment_id: string }>({
    name: 'finish-claims',
    text: `
      update landfall.polling as p
      set state = o.state, reason = o.reason, next_refresh_at = now() + make_interval(secs => o."nextRefreshInS"),
        stale_at = now() + make_interval(secs => o."staleInS"), consecutive_failures = o."consecutiveFailures",
        reading_hash = coalesce(decode(o."readingHash", 'hex'), p.reading_hash),
        answer_hash = case when o."readingHash" is null and o."answerHash" is null then p.answer_hash else decode(o."answerHash", 'hex') end,
        source = coalesce(o.source, p.source), trace_id = o."traceId", attempts = p.attempts + 1, last_refreshed_at = now(), lease_until = null,
        last_succeeded_at = case when o.succeeded then now() else p.last_succeeded_at end,
        last_changed_at = case when o.changed then now() else p.last_changed_at end
      from json_to_recordset($2::json) as o ("shipmentId" uuid, epoch bigint, state text, reason text, "nextRefreshInS" float8, "staleInS" float8,
        "consecutiveFailures" integer, "readingHash" text, "answerHash" text, source text, "traceId" text, succeeded boolean, changed boolean)
      -- The array parameter keeps the planner from reading all rows of an account that has just grown, for which it
      -- still expects a single row.
      where p.account_id = $1 and p.shipment_id = o."shipmentId" and p.shipment_id = any ($3::uuid[]) and p.epoch = o.epoch and ${isLeased}
      returning p.shipment_id`,
    values: [accountId, JSON.stringify(outcomes), outcomes.map(({ shipmentId }) => shipmentId)],
  });
  return new Set(rows.map((row) => row.shipment_id));
}

/** The polling state while the shipment and its polling row are locked. Times by Postgres's clock. */
export type LockedPolling = {
  connector: string;
  state: TrackingState;
  reason: TrackingReason | null;
  /** Seconds since a client last requested a refresh. Null: never. */
  requestedAgoS: number | null;
  /** ISO UTC. */
  now: string;
};

/**
 * Locks the polling row until the transaction ends. Lock the shipment first. Null when there is none. A refresh request
 * by a transaction that started later but got the lock first counts as made now.
 */
export async function lockPolling(tx: Tx, accountId: string, shipmentId: string): Promise<LockedPolling | null> {
  const { rows } = await tx.query<{
    connector: string;
    state: TrackingState;
    reason: TrackingReason | null;
    requested_ago_s: number | null;
    now: Date;
  }>({
    name: 'lock-polling',
    text: `
      select connector, state, reason, extract(epoch from now() - requested_at)::float8 as requested_ago_s, now() as now
      from landfall.polling
      where account_id = $1 and shipment_id = $2
      for no key update`,
    values: [accountId, shipmentId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  return {
    connector: row.connector,
    state: row.state,
    reason: row.reason,
    requestedAgoS: row.requested_ago_s === null ? null : Math.max(0, row.requested_ago_s),
    now: row.now.toISOString(),
  };
}

/** Stops tracking on the client's request. The new epoch rejects a refresh in progress. */
export async function stopPolling(
  tx: Tx,
  accountId: string,
  shipmentId: string,
  reason: TrackingReason,
): Promise<void> {
  await tx.query({
    name: 'stop-polling',
    text: `
      update landfall.polling
      set state = 'stopped', reason = $3, next_refresh_at = null, stale_at = null, lease_until = null, epoch = epoch + 1
      where account_id = $1 and shipment_id = $2`,
    values: [accountId, shipmentId, reason],
  });
}

/**
 * Schedules no more refreshes and keeps the state. The shipment is not announced as stale. The new epoch rejects a
 * refresh in progress.
 */
export async function pausePolling(tx: Tx, accountId: string, shipmentId: string): Promise<void> {
  await tx.query({
    name: 'pause-polling',
    text: `
      update landfall.polling
      set next_refresh_at = null, lease_until = null, stale_told_for = last_succeeded_at, epoch = epoch + 1
      where account_id = $1 and shipment_id = $2`,
    values: [accountId, shipmentId],
  });
}

/** Assigns the shipment to another connector and clears the previous one's reading. Schedules no refresh. */
export async function changeConnector(tx: Tx, accountId: string, shipmentId: string, connector: string): Promise<void> {
  await tx.query({
    name: 'change-connector',
    text: `
      update landfall.polling
      set connector = $3, next_refresh_at = null, stale_at = null, lease_until = null, epoch = epoch + 1, consecutive_failures = 0,
        reading_hash = null, source = null, trace_id = null, last_refreshed_at = null, last_succeeded_at = null, last_changed_at = null
      where account_id = $1 and shipment_id = $2`,
    values: [accountId, shipmentId, connector],
  });
}

/** Forces the next response to be parsed in full, even if it is unchanged. */
export async function forgetReading(tx: Tx, accountId: string, shipmentId: string): Promise<void> {
  await tx.query({
    name: 'forget-reading',
    text: 'update landfall.polling set reading_hash = null where account_id = $1 and shipment_id = $2',
    values: [accountId, shipmentId],
  });
}

/**
 * SQL that is true for a leased row `p` of polling. For statements that find the row by its key. `coalesce` prevents
 * the use of an index on the lease: statistics about such short-lived values are outdated, so the planner would expect
 * almost no rows there and scan everything leased, or due, for each key.
 */
export const isLeased = `coalesce(p.lease_until - now() > interval '0', false)`;

/** SQL that is true for a due row `p` of polling, written like `isLeased`. */
export const isDue = `coalesce(p.next_refresh_at - now() <= interval '0', false)`;
