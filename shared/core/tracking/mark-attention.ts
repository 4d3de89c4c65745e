import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { appendChanges, type NewChange } from '#shared/store/feed/changes.ts';
import { markAttentionDue } from '#shared/store/system/tracking/mark-by-clock.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Shipments per transaction, which locks their rows. */
export const attentionBatchSize = 100;

/**
 * Marks shipments that need attention because time has passed, such as a number that the carrier has not known for two
 * days, and publishes each as a change. Handles up to `attentionBatchSize` shipments and returns how many there were.
 * Any number of processes may call it at the same time.
 */
export async function markAttention(ctx: CoreContext): Promise<number> {
  const traceparent = ctx.traceparent();
  return withSystem(ctx.store, async (tx) => {
    const shipments = await markAttentionDue(tx, attentionBatchSize);
    for (const [accountId, own] of Map.groupBy(shipments, (shipment) => shipment.accountId))
      await appendChanges(
        tx,
        accountId,
        own.map((shipment) => attentionChange(shipment, traceparent)),
      );
    return shipments.length;
  });
}

function attentionChange(shipment: Shipment, traceparent: string | null): NewChange {
  return {
    type: 'shipment.updated',
    shipmentId: shipment.id,
    test: shipment.test,
    data: { shipment: shipmentSnapshot(shipment), changes: { needsAttention: [false, true] } },
    traceparent,
  };
}
