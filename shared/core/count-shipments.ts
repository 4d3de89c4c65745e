import type { Caller } from '#shared/domain/caller.ts';
import type { ShipmentFilter } from '#shared/domain/filter.ts';
import { readTime } from '#shared/store/read-time.ts';
import { countShipments as countInStore, type ShipmentCounts } from '#shared/store/shipment-counts.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';

/** How many of the account's shipments the filter gives, each number counted to 10,000. `asOf`: ISO UTC. */
export function countShipments(ctx: CoreContext, caller: Caller, filter: ShipmentFilter): Promise<ShipmentCounts & { asOf: string }> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const counts = await countInStore(tx, { accountId, test, filter });
    return { ...counts, asOf: (await readTime(tx)).toISOString() };
  });
}
