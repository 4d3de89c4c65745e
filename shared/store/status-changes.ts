import type { Status, StatusEvidence } from '#shared/domain/shipment.ts';
import type { Tx } from './with-account.ts';

export type StatusChange = { shipmentId: string; from: Status | null; to: Status; evidence: StatusEvidence | null; traceId: string | null };

/** Adds a transition to the log of what was published. */
export async function appendStatusChange(tx: Tx, accountId: string, change: StatusChange): Promise<void> {
  await tx.query({
    name: 'append-status-change',
    text: `
      insert into landfall.status_changes (account_id, shipment_id, from_status, to_status, event_id, event_code, trace_id)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      accountId,
      change.shipmentId,
      change.from,
      change.to,
      change.evidence?.eventId ?? null,
      change.evidence?.code ?? null,
      change.traceId,
    ],
  });
}
