import type { Caller } from '#shared/domain/caller.ts';
import type { ShipmentFilter } from '#shared/domain/filter.ts';
import { countShipments as countInStore, type ShipmentCounts } from '#shared/store/shipment-counts.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';

/** How many of the account's shipments the filter gives, each number counted to 10,000. */
export function countShipments(ctx: CoreContext, caller: Caller, filter: ShipmentFilter): Promise<ShipmentCounts> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, (tx) => countInStore(tx, { accountId, test, filter }));
}
