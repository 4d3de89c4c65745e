import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** The whole record. Throws LandfallError `shipment_not_found`, also for another account's shipment and across test mode. */
export async function getShipment(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<Shipment> {
  const subject = { id: shipmentId, test: caller.test };
  const shipment = await withAccount(ctx.store, caller.accountId, (tx) => readShipment(tx, caller.accountId, subject));
  if (shipment === null) throw new LandfallError('shipment_not_found', 'There is no shipment with this id.');
  return shipment;
}
