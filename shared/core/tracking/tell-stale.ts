import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { appendChanges, type NewChange } from '#shared/store/feed/changes.ts';
import { markStale } from '#shared/store/system/find-stale.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Shipments in one transaction, which holds their row locks. */
export const staleBatchSize = 100;

/**
 * Tells of shipments that have gone stale, each once until its next success: a change `shipment.stale` and a new version. At most
 * `staleBatchSize`, in one transaction; any number of processes may do it at once. Gives how many there were.
 */
export async function tellStale(ctx: CoreContext): Promise<number> {
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
