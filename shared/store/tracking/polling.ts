import type { TrackingReason, TrackingState } from '#shared/domain/record/shipment.ts';
import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

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
  const [row] = await readRows<{
    connector: string;
    state: TrackingState;
    reason: TrackingReason | null;
    requestedAgoS: number | null;
    now: string;
  }>(tx, {
    name: 'lock-polling',
    text: `
      select connector, state, reason, extract(epoch from now() - requested_at)::float8 as requested_ago_s, now() as now
      from landfall.polling
      where account_id = $1 and shipment_id = $2
      for no key update`,
    values: [accountId, shipmentId],
  });
  if (row === undefined) return null;
  return {
    connector: row.connector,
    state: row.state,
    reason: row.reason,
    requestedAgoS: row.requestedAgoS === null ? null : Math.max(0, row.requestedAgoS),
    now: row.now,
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
      set state = 'stopped', reason = $3, next_refresh_at = null, stale_at = null, ends_at = null, lease_until = null, hurried = false, epoch = epoch + 1
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
      set next_refresh_at = null, ends_at = null, lease_until = null, hurried = false, stale_notified_for = last_succeeded_at, epoch = epoch + 1
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
      set connector = $3, next_refresh_at = null, stale_at = null, lease_until = null, hurried = false, epoch = epoch + 1, consecutive_failures = 0,
        reading_hash = null, unreadable = null, source = null, trace_id = null, trace_kept = false, last_refreshed_at = null,
        last_succeeded_at = null, last_changed_at = null
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
