import type { Tx } from '../open-store.ts';
import { storableJson } from '../packing/storable-json.ts';
import { readRows } from '../read-rows.ts';

export type UnreadableEvent = { raw: unknown; reason: string };

/** Stores unreadable events, once per distinct body. Returns the number of new ones. */
export async function insertUnreadableEvents(
  tx: Tx,
  accountId: string,
  shipmentId: string,
  unreadable: readonly UnreadableEvent[],
): Promise<number> {
  const added = await insertUnreadableEventsOf(
    tx,
    accountId,
    unreadable.map((one) => ({ ...one, shipmentId })),
  );
  return added.get(shipmentId) ?? 0;
}

/** The same for several shipments. A shipment without new ones is absent. */
export async function insertUnreadableEventsOf(
  tx: Tx,
  accountId: string,
  unreadable: readonly (UnreadableEvent & { shipmentId: string })[],
): Promise<Map<string, number>> {
  if (unreadable.length === 0) return new Map();
  const rows = await readRows<{ shipmentId: string; added: number }>(tx, {
    name: 'insert-unreadable-events',
    text: `
      with added as (
        insert into landfall.unreadable_events (account_id, shipment_id, raw, raw_hash, reason)
        select $1, r."shipmentId", coalesce(r.raw, 'null'), sha256(convert_to(coalesce(r.raw, 'null')::text, 'utf8')), r.reason
        from jsonb_to_recordset($2::jsonb) as r ("shipmentId" uuid, raw jsonb, reason text)
        on conflict on constraint unreadable_events_unique do nothing
        returning shipment_id
      )
      select shipment_id, count(*)::integer as added from added group by shipment_id`,
    values: [
      accountId,
      storableJson(unreadable.map(({ shipmentId, raw, reason }) => ({ shipmentId, raw: raw ?? null, reason }))),
    ],
  });
  return new Map(rows.map(({ shipmentId, added }) => [shipmentId, added]));
}
