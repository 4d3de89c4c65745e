import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { appendChanges, type NewChange } from '#shared/store/feed/changes.ts';
import { markOverdue } from '#shared/store/system/tracking/mark-by-clock.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Shipments per transaction, which locks their rows. */
export const overdueBatchSize = 100;

/**
 * Publishes a `shipment.overdue` change and a new version for shipments whose ETA has passed unconfirmed, once for each
 * promised time. Handles up to `overdueBatchSize` shipments and returns how many there were. Any number of processes
 * may call it at the same time.
 */
export async function markOverdueShipments(ctx: CoreContext): Promise<number> {
  const traceparent = ctx.traceparent();
  return withSystem(ctx.store, async (tx) => {
    const shipments = await markOverdue(tx, overdueBatchSize);
    for (const [accountId, own] of Map.groupBy(shipments, (shipment) => shipment.accountId)) {
      await appendChanges(
        tx,
        accountId,
        own.map((shipment) => overdueChange(shipment, traceparent)),
      );
    }
    return shipments.length;
  });
}

function overdueChange(shipment: Shipment, traceparent: string | null): NewChange {
  return {
    type: 'shipment.overdue',
    shipmentId: shipment.id,
    test: shipment.test,
    data: { shipment: shipmentSnapshot(shipment), changes: { overdueHours: [null, shipment.overdueHours] } },
    traceparent,
  };
}
