import type { WireShipmentChange } from '#shared/contract/feed/change-wire.ts';
import { needsAttentionAt } from '#shared/domain/record/needs-attention.ts';
import type { TrackingReason, TrackingState } from '#shared/domain/record/shipment.ts';
import { type PlainField, plainFields } from '../column-table.ts';
import { rowOf, type ShipmentRow } from '../shipment-row.ts';

/** A row after a change, and as it was before. `before` is null for a new shipment. */
export type RowChange = { row: ShipmentRow; before: ShipmentRow | null };

const hourMs = 3_600_000;

/** The row of a change, and the row before it as far as the change contains the old values. */
export function rowChangeOf({ type, created_at: at, data: { shipment, changes } }: WireShipmentChange): RowChange {
  const row = rowOf(changes.metadata === undefined ? shipment : { ...shipment, metadata: changes.metadata[1] });
  if (type === 'shipment.created') return { row, before: null };
  const before: ShipmentRow = { ...row };
  if (changes.status?.[0]) before.status = changes.status[0];
  if (changes.tracking_state) before.state = changes.tracking_state[0];
  if (changes.tracking_reason) before.reason = changes.tracking_reason[0];
  if (changes.freshness) before.freshness = changes.freshness[0];
  if (changes.carrier) before.carrier = changes.carrier[0];
  if (changes.reference) before.reference = changes.reference[0];
  if (changes.references) before.references = changes.references[0];
  if (changes.tags) before.tags = changes.tags[0];
  for (const name of plainFields) Object.assign(before, formerOf(changes, name));
  if (changes.archived) before.isArchived = changes.archived[0];
  if (changes.assignee) {
    const [old] = changes.assignee;
    before.assignee = old && { id: old.member_id, name: old.name };
  }
  if (changes.exception) before.hasException = changes.exception[0] !== null;
  if (changes.eta) withEta(before, changes.eta);
  if (changes.needs_attention) before.needsAttention = changes.needs_attention[0];
  else if (changes.exception || changes.tracking_state || changes.tracking_reason)
    before.needsAttention = needsAttentionAt(
      {
        hasException: before.hasException,
        state: before.state as TrackingState,
        reason: before.reason as TrackingReason | null,
        lastSucceededAt: before.seenAt,
        trackingSince: before.createdAt,
        // These changes leave it as overdue as it is.
        overdueAt: row.isLate && row.overdueHours !== null ? row.createdAt : null,
      },
      Date.parse(at),
    );
  return { row, before };
}

function formerOf(changes: WireShipmentChange['data']['changes'], name: PlainField): Partial<ShipmentRow> {
  const change = Object.entries(changes).find(([field]) => field === name)?.[1];
  return change === undefined ? {} : ({ [name]: change[0] } as Partial<ShipmentRow>);
}

function withEta(before: ShipmentRow, [old, now]: NonNullable<WireShipmentChange['data']['changes']['eta']>): void {
  if (before.arrival?.isActual === true) return;
  before.arrival = old && {
    at: old.at,
    local: old.local,
    timezone: old.timezone,
    precision: old.precision,
    isActual: false,
  };
  if (before.delayHours === null) return;
  before.delayHours = old && now && before.delayHours - (Date.parse(now.at) - Date.parse(old.at)) / hourMs;
}
