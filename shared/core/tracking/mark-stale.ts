import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { appendChanges, type NewChange } from '#shared/store/feed/changes.ts';
import { markStale } from '#shared/store/system/tracking/mark-by-clock.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Shipments per transaction, which locks their rows. */
export const staleBatchSize = 100;

/**
 * Publishes a `shipment.stale` change and a new version for shipments that have gone stale, once until the next
 * successful refresh. Handles up to `staleBatchSize` shipments and returns how many there were. Any number of processes
 * may call it at the same time.
 */
export async function markStaleShipments(ctx: CoreContext): Promise<number> {
  const traceparent = ctx.traceparent();
  return withSystem(ctx.store, async (tx) => {
    const shipments = await markStale(tx, staleBatchSize);
    for (const [accountId, own] of Map.groupBy(shipments, (shipment) => shipment.accountId)) {
      await appendChanges(
        tx,
        accountId,
        own.map((shipment) => staleChange(shipment, traceparent)),
      );
    }
    return shipments.length;
  });
}

function staleChange(shipment: Shipment, traceparent: string | null): NewChange {
  return {
    type: 'shipment.stale',
    shipmentId: shipment.id,
    test: shipment.test,
    data: { shipment: shipmentSnapshot(shipment), changes: { freshness: ['fresh', 'stale'] } },
    traceparent,
  };
}
