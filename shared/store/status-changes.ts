import type { Status, StatusEvidence } from '#shared/domain/shipment.ts';
import type { TransitionReason } from '#shared/domain/transition-reason.ts';
import type { Tx } from './with-account.ts';

/** A transition as it is published. `reachedAt`: the time of the deciding event (ISO UTC), null without one. */
export type StatusChange = {
  shipmentId: string;
  from: Status | null;
  to: Status;
  reason: TransitionReason;
  evidence: StatusEvidence | null;
  reachedAt: string | null;
  traceId: string | null;
};

/** Adds a transition to the log of what was published; after the deciding event was stored. */
export async function appendStatusChange(tx: Tx, accountId: string, change: StatusChange): Promise<void> {
  await tx.query({
    name: 'append-status-change',
    text: `
      insert into landfall.status_changes (
        account_id, shipment_id, from_status, to_status, reason, event_id, event_code, reached_at, received_at, trace_id
      )
      values (
        $1, $2, $3, $4, $5, $6, $7, $8,
        (select e.received_at from landfall.events as e where e.account_id = $1 and e.id = $6),
        $9
      )`,
    values: [
      accountId,
      change.shipmentId,
      change.from,
      change.to,
      change.reason,
      change.evidence?.eventId ?? null,
      change.evidence?.code ?? null,
      change.reachedAt,
      change.traceId,
    ],
  });
}
