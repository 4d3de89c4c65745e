import type { TrackingEvent } from '#shared/domain/tracking/event.ts';
import type { Tx } from '../open-store.ts';
import { insertEventsOf } from './events.ts';

type FormerRow = {
  shipment_id: string;
  id: string;
  dedupe_text: string;
  event: Omit<TrackingEvent, 'id' | 'dedupeKey' | 'receivedAt' | 'supersededBy' | 'voidedAt'>;
  raw: unknown;
  received_at: Date;
  superseded_by: string | null;
  voided_at: Date | null;
};

/**
 * Moves the events of these shipments from the table of earlier releases. A shipment that is locked elsewhere is left
 * out. Returns how many events were moved.
 */
export async function moveFormerEvents(tx: Tx, accountId: string, shipmentIds: readonly string[]): Promise<number> {
  const locked = await tx.query<{ id: string }>({
    name: 'lock-free-shipment-ids',
    text: `
      select id
      from landfall.shipments
      where account_id = $1 and id = any ($2::uuid[])
      order by id
      for no key update skip locked`,
    values: [accountId, shipmentIds],
  });
  const { rows } = await tx.query<FormerRow>({
    name: 'take-former-events',
    text: `
      with taken as (
        delete from landfall.former_events
        where account_id = $1 and shipment_id = any ($2::uuid[])
        returning shipment_id, id, dedupe_text, event, raw, event_at, received_at, superseded_by, voided_at
      )
      select shipment_id, id, dedupe_text, event, raw, received_at, superseded_by, voided_at
      from taken
      order by shipment_id, received_at, event_at, id`,
    values: [accountId, locked.rows.map(({ id }) => id)],
  });
  const moved = await insertEventsOf(
    tx,
    accountId,
    rows.map((row) => ({
      shipmentId: row.shipment_id,
      event: {
        ...row.event,
        id: row.id,
        dedupeKey: row.dedupe_text,
        receivedAt: row.received_at.toISOString(),
        supersededBy: row.superseded_by,
        voidedAt: row.voided_at?.toISOString() ?? null,
      },
      raw: row.raw,
    })),
  );
  if (moved !== rows.length) throw new Error(`only ${moved} of ${rows.length} former events could be moved`);
  return moved;
}
