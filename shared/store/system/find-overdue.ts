import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { type ShipmentRow, shipmentColumns, shipmentTables, toShipment } from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';

/**
 * Locks up to `limit` shipments whose ETA has passed unconfirmed and was not announced yet, marks that ETA as
 * announced, and returns them with the new version. Archived shipments, and those locked elsewhere, are left for later.
 */
export async function markOverdue(tx: Tx, limit: number): Promise<Shipment[]> {
  const { rows: marked } = await tx.query<{ account_id: string; id: string }>({
    name: 'mark-overdue-announced',
    text: `
      with due as materialized (
        select s.account_id, s.id
        from landfall.shipments as s
        where s.overdue_from is not null and not s.recompose and not (s.overdue_from = any (s.overdue_told))
          and s.overdue_from <= now() and s.archived_at is null
        order by s.overdue_from
        limit $1
        for no key update skip locked
      )
      update landfall.shipments as s
      set overdue_told = s.overdue_told || s.overdue_from, updated_at = now(), version = s.version + 1
      from due
      where s.account_id = due.account_id and s.id = due.id
      returning s.account_id, s.id`,
    values: [limit],
  });
  if (marked.length === 0) return [];
  const { rows } = await tx.query<ShipmentRow>({
    name: 'read-overdue',
    text: `
      select ${shipmentColumns}
      from ${shipmentTables}
      join unnest($1::uuid[], $2::uuid[]) as k (account_id, id) on s.account_id = k.account_id and s.id = k.id
      order by s.overdue_from, s.id`,
    values: [marked.map((row) => row.account_id), marked.map((row) => row.id)],
  });
  return rows.map(toShipment);
}
