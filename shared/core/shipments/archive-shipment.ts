import type { Caller } from '#shared/domain/caller.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import type { CoreContext } from '../core-context.ts';
import { updateShipment } from './update-shipment.ts';

/**
 * Hides a shipment from lists, ends its refreshes and frees its numbers; it can still be read, and an update restores it. Archiving again
 * changes nothing. Throws LandfallError `shipment_not_found`.
 */
export function archiveShipment(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<Shipment> {
  return updateShipment(ctx, caller, shipmentId, { archived: true });
}
