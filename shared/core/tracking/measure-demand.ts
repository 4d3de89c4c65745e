import { countDemand, type DemandRow, readDemand } from '#shared/store/system/carrier-demand.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

const freshS = 25;

/** Refreshes planned for the next hour, by account and connector; counted by one worker for all, about every half minute. */
export function measureDemand(ctx: CoreContext): Promise<DemandRow[]> {
  return withSystem(ctx.store, async (tx) => {
    await countDemand(tx, freshS);
    return readDemand(tx);
  });
}
