import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ShownUnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import { readUnreadableEventsOf } from '#shared/store/tracking/read-unreadable-events.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Lists the carrier's events that could not be read, newest first. Throws LandfallError `shipment_not_found`. */
export async function listUnreadableEvents(
  ctx: CoreContext,
  caller: Caller,
  shipmentId: string,
): Promise<ShownUnreadableEvent[]> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const shipment = await readShipment(tx, accountId, { id: shipmentId, test });
    if (shipment === null) throw new LandfallError('shipment_not_found', 'Shipment not found.');
    return readUnreadableEventsOf(tx, accountId, shipmentId);
  });
}
