import { foldCounts as foldInStore } from '#shared/store/system/fold-counts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export const foldBatchSize = 5000;

/** Folds what was counted lately into the kept counts of all accounts, at most `foldBatchSize` at once. Gives how much it folded. */
export function foldCounts(ctx: CoreContext, limit: number = foldBatchSize): Promise<number> {
  return withSystem(ctx.store, (tx) => foldInStore(tx, limit));
}
