import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { readAllRefreshes } from '#shared/store/settling/settled-shipments.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import type { KeptRefresh } from '#shared/store/tracking/refreshes.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** The latest refreshes, newest first, at most 20. Throws LandfallError `shipment_not_found`. */
export async function listRefreshes(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<KeptRefresh[]> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const shipment = await readShipment(tx, accountId, { id: shipmentId, test });
    if (shipment === null) throw new LandfallError('shipment_not_found', 'Shipment not found.');
    return readAllRefreshes(tx, accountId, shipmentId);
  });
}
