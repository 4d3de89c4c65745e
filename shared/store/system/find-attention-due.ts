import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { type ShipmentRow, shipmentColumns, shipmentTables, toShipment } from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';

/**
 * Marks up to `limit` shipments that need attention because time has passed, and returns them with the new version.
 * Locked shipments are skipped until the next call.
 */
export async function markAttentionDue(tx: Tx, limit: number): Promise<Shipment[]> {
  const { rows: marked } = await tx.query<{ account_id: string; id: string }>({
    name: 'mark-attention-due',
    text: `
      with due as materialized (
        select s.account_id, s.id
        from landfall.shipments as s
        where s.attention_at <= now()
        order by s.attention_at
        limit $1
        for no key update skip locked
      )
      update landfall.shipments as s
      set needs_attention = true, attention_at = null, updated_at = now(), version = s.version + 1
      from due
      where s.account_id = due.account_id and s.id = due.id
      returning s.account_id, s.id`,
    values: [limit],
  });
  if (marked.length === 0) return [];
  const { rows } = await tx.query<ShipmentRow>({
    name: 'read-attention-due',
    text: `
      select ${shipmentColumns}
      from ${shipmentTables}
      join unnest($1::uuid[], $2::uuid[]) as k (account_id, id) on s.account_id = k.account_id and s.id = k.id
      order by s.account_id, s.id`,
    values: [marked.map((row) => row.account_id), marked.map((row) => row.id)],
  });
  return rows.map(toShipment);
}
