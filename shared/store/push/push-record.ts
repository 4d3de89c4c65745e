import type { TrackingReason, TrackingState } from '#shared/domain/shipments/shipment.ts';
import type { Tx } from '../with-account.ts';

export type PollingBeforePush = {
  connector: string;
  state: TrackingState;
  reason: TrackingReason | null;
  consecutiveFailures: number;
  lastSucceededAt: string | null;
  lastChangedAt: string | null;
  trackingSince: string;
  /** ISO UTC, by Postgres's clock. */
  now: string;
};

type PollingRow = {
  connector: string;
  state: TrackingState;
  reason: TrackingReason | null;
  consecutive_failures: number;
  last_succeeded_at: Date | null;
  last_changed_at: Date | null;
  tracking_since: Date;
  now: Date;
};

/** Locks the polling row until the transaction ends. Lock the shipment first. Null when there is none. */
export async function lockPollingForPush(
  tx: Tx,
  accountId: string,
  shipmentId: string,
): Promise<PollingBeforePush | null> {
  const { rows } = await tx.query<PollingRow>({
    name: 'lock-polling-for-push',
    text: `
      select p.connector, p.state, p.reason, p.consecutive_failures, p.last_succeeded_at, p.last_changed_at,
        coalesce(p.tracking_since, s.created_at) as tracking_since, now() as now
      from landfall.polling as p
      join landfall.shipments as s on s.account_id = p.account_id and s.id = p.shipment_id
      where p.account_id = $1 and p.shipment_id = $2
      for no key update of p`,
    values: [accountId, shipmentId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  return {
    connector: row.connector,
    state: row.state,
    reason: row.reason,
    consecutiveFailures: row.consecutive_failures,
    lastSucceededAt: row.last_succeeded_at?.toISOString() ?? null,
    lastChangedAt: row.last_changed_at?.toISOString() ?? null,
    trackingSince: row.tracking_since.toISOString(),
    now: row.now.toISOString(),
  };
}

/** The polling state after a push. `fenced`: a refresh in progress is based on older state and is rejected. */
export type PushOutcome = {
  state: TrackingState;
  reason: TrackingReason | null;
  nextRefreshInS: number;
  staleInS: number | null;
  source: string;
  traceId: string | null;
  traceKept: boolean;
  changed: boolean;
  fenced: boolean;
};

/**
 * Records a push. It never postpones the next refresh, because a constant stream of events could otherwise prevent
 * refreshes.
 */
export async function notePush(tx: Tx, accountId: string, shipmentId: string, outcome: PushOutcome): Promise<void> {
  await tx.query({
    name: 'note-push',
    text: `
      update landfall.polling
      set state = $3, reason = $4,
        next_refresh_at = least(next_refresh_at, now() + make_interval(secs => $5)),
        stale_at = greatest(stale_at, now() + make_interval(secs => $6)),
        source = coalesce(source, $7), trace_id = coalesce($8, trace_id), trace_kept = case when $8 is null then trace_kept else $11 end, last_succeeded_at = now(),
        last_changed_at = case when $9 then now() else last_changed_at end,
        epoch = epoch + case when $10 then 1 else 0 end,
        lease_until = case when not $10 then lease_until end
      where account_id = $1 and shipment_id = $2`,
    values: [
      accountId,
      shipmentId,
      outcome.state,
      outcome.reason,
      outcome.nextRefreshInS,
      outcome.staleInS,
      outcome.source,
      outcome.traceId,
      outcome.changed,
      outcome.fenced,
      outcome.traceKept,
    ],
  });
}
