import type { Caller } from '#shared/domain/caller.ts';
import type { Share } from '#shared/domain/shares/share.ts';
import { lockShared, readShares } from '#shared/store/shares/shares.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { noSuchShipment } from './create-share.ts';

const maxListed = 100;

/** The latest links to the shipment, newest first, with those that have ended. Throws LandfallError `shipment_not_found`. */
export function listShares(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<Share[]> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const shares = await readShares(tx, accountId, { shipmentId, test, limit: maxListed });
    if (shares.length === 0 && !(await lockShared(tx, accountId, { shipmentId, test }))) throw noSuchShipment();
    return shares;
  });
}
