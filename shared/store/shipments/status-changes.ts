import type { TransitionReason } from '#shared/domain/journey/transition-reason.ts';
import type { Status, StatusEvidence } from '#shared/domain/record/shipment.ts';
import type { Tx } from '../with-account.ts';

/** A published transition. `reachedAt`: the time of the deciding event (ISO UTC), or null without one. */
export type StatusChange = {
  shipmentId: string;
  from: Status | null;
  to: Status;
  reason: TransitionReason;
  evidence: StatusEvidence | null;
  reachedAt: string | null;
  traceId: string | null;
};

/**
 * Appends transitions to the log of published statuses, in this order. Store the deciding events first. Each event is
 * found by its key (`offset 0` prevents a join): for an account that has just grown, the planner would read all events.
 */
export async function appendStatusChanges(tx: Tx, accountId: string, changes: readonly StatusChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ evidence, ...change }) => ({
    ...change,
    eventId: evidence?.eventId ?? null,
    eventCode: evidence?.code ?? null,
  }));
  await tx.query({
    name: 'append-status-changes',
    text: `
      insert into landfall.status_changes (
        account_id, shipment_id, from_status, to_status, reason, event_id, event_code, reached_at, received_at, trace_id
      )
      select $1, c."shipmentId", c."from", c."to", c.reason, c."eventId", c."eventCode", c."reachedAt", e.received_at, c."traceId"
      from json_to_recordset($2::json) as c ("shipmentId" uuid, "from" text, "to" text, reason text, "eventId" uuid, "eventCode" text,
        "reachedAt" timestamptz, "traceId" text)
      left join lateral (
        select coalesce(received_at, uuid_extract_timestamp(id)) as received_at
        from landfall.events
        where account_id = $1 and shipment_id = c."shipmentId" and id = c."eventId"
        offset 0
      ) as e on true`,
    values: [accountId, JSON.stringify(rows)],
  });
}
