import type { TrackingReason, TrackingState } from '#shared/domain/shipment.ts';
import type { Tx } from './open-store.ts';

/** How polling goes on after a look. Intervals are seconds from Postgres's now; `readingHash` is hex, null keeps the last one. */
export type PollingOutcome = {
  epoch: number;
  state: TrackingState;
  reason: TrackingReason | null;
  nextCheckInS: number | null;
  staleInS: number | null;
  consecutiveFailures: number;
  readingHash: string | null;
  source: string | null;
  traceId: string | null;
  succeeded: boolean;
  changed: boolean;
};

/**
 * Ends a claim: records how the look went, frees the lease and plans the next check. False when the epoch has moved on or the lease ran
 * out: then nothing was written and the whole transaction must be dropped (fencing).
 */
export async function finishClaim(tx: Tx, accountId: string, shipmentId: string, outcome: PollingOutcome): Promise<boolean> {
  const result = await tx.query({
    name: 'finish-claim',
    text: `
      update landfall.polling
      set state = $4, reason = $5, next_check_at = now() + make_interval(secs => $6), stale_at = now() + make_interval(secs => $7), consecutive_failures = $8,
        reading_hash = coalesce(decode($9, 'hex'), reading_hash), source = coalesce($10, source), trace_id = $11,
        attempts = attempts + 1, last_attempted_at = now(), lease_until = null,
        last_succeeded_at = case when $12 then now() else last_succeeded_at end,
        last_changed_at = case when $13 then now() else last_changed_at end
      where account_id = $1 and shipment_id = $2 and epoch = $3 and lease_until > now()`,
    values: [
      accountId,
      shipmentId,
      outcome.epoch,
      outcome.state,
      outcome.reason,
      outcome.nextCheckInS,
      outcome.staleInS,
      outcome.consecutiveFailures,
      outcome.readingHash,
      outcome.source,
      outcome.traceId,
      outcome.succeeded,
      outcome.changed,
    ],
  });
  return result.rowCount === 1;
}
