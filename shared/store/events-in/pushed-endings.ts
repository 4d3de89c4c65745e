import type { Shipment, TrackingReason, TrackingState } from '#shared/domain/record/shipment.ts';
import { readRows } from '../read-rows.ts';
import { rowColumns, type StoredShipmentRow, shipmentTables, toShipment } from '../shipments/shipment-row.ts';
import { publishedAgain } from '../system/tracking/mark-by-clock.ts';
import type { Tx } from '../with-account.ts';

export type EndingShipment = { shipment: Shipment; trackingSince: string; now: string };

/**
 * Locks up to `limit` shipments with pushed events whose tracking was to end by now, the first to end first. Shipments
 * locked elsewhere are skipped until the next call.
 */
export async function lockEnding(tx: Tx, limit: number): Promise<EndingShipment[]> {
  const rows = await readRows<StoredShipmentRow & { trackingSince: string; now: string }>(tx, {
    name: 'lock-ending',
    text: `
      select ${rowColumns}, coalesce(p.tracking_since, s.created_at) as tracking_since, now() as now
      from ${shipmentTables}
      where p.ends_at <= now()
      order by p.ends_at
      limit $1
      for no key update of s, p skip locked`,
    values: [limit],
  });
  return rows.map((row) => ({
    shipment: toShipment(row),
    trackingSince: row.trackingSince,
    now: row.now,
  }));
}

/** `endsInS`: tracking goes on and is to end then. Null: it has ended. */
export type Ending = {
  accountId: string;
  shipmentId: string;
  state: TrackingState;
  reason: TrackingReason | null;
  endsInS: number | null;
};

/** Ends tracking of locked shipments, or moves its end. Returns those whose state changed, with the new version. */
export async function endTracking(tx: Tx, endings: readonly Ending[]): Promise<Shipment[]> {
  if (endings.length === 0) return [];
  await tx.query({
    name: 'end-pushed-tracking',
    text: `
      update landfall.polling as p
      set state = e.state, reason = e.reason, ends_at = now() + make_interval(secs => e."endsInS"),
        stale_at = case when e.state in ('completed', 'stopped') then null else p.stale_at end
      from json_to_recordset($1::json) as e ("accountId" uuid, "shipmentId" uuid, state text, reason text, "endsInS" float8)
      where p.account_id = e."accountId" and p.shipment_id = e."shipmentId"`,
    values: [JSON.stringify(endings)],
  });
  return publishedAgain(
    tx,
    endings.filter(({ endsInS }) => endsInS === null),
  );
}
