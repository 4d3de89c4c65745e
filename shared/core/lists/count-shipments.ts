import type { Caller } from '#shared/domain/caller.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import type { GroupCounts, GroupDimension } from '#shared/domain/lists/group-dimensions.ts';
import { resolveFilter } from '#shared/places/read-place.ts';
import { countGroups } from '#shared/store/lists/group-counts.ts';
import { narrowByWords } from '#shared/store/lists/narrow-by-words.ts';
import {
  countShipments as countInStore,
  countLimit,
  type ShipmentCounts,
} from '#shared/store/lists/shipment-counts.ts';
import { foldCounts as foldInStore } from '#shared/store/system/fold-counts.ts';
import { readTime, withAccountReads, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { nameFastLists } from './list-shipments.ts';
import { resolveMemberFilter } from './resolve-member-filter.ts';

/**
 * Counts the account's shipments that match the filter, in groups too on request; see the store's `countShipments`.
 * `asOf`: ISO UTC. Throws LandfallError `list_too_slow`.
 */
export function countShipments(
  ctx: CoreContext,
  caller: Caller,
  { filter, groupBy = null }: { filter: ShipmentFilter; groupBy?: GroupDimension | null },
): Promise<ShipmentCounts & { asOf: string; groups: GroupCounts | null }> {
  const { accountId, test } = caller;
  const resolved = resolveFilter(resolveMemberFilter(caller, filter));
  return nameFastLists(() =>
    withAccountReads(ctx.store, accountId, async (tx) => {
      const scope = await narrowByWords(tx, { accountId, test, filter: resolved }, countLimit);
      const counts = await countInStore(tx, scope);
      const groups = groupBy === null ? null : await countGroups(tx, scope, groupBy);
      return { ...counts, groups, asOf: (await readTime(tx)).toISOString() };
    }),
  );
}

export const foldBatchSize = 5000;

/** Folds recent deltas of all accounts into the kept counts, at most `limit` of them. Returns how many it folded. */
export function foldCounts(ctx: CoreContext, limit: number = foldBatchSize): Promise<number> {
  return withSystem(ctx.store, (tx) => foldInStore(tx, limit));
}
