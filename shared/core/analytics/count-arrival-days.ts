import type { Caller } from '#shared/domain/caller.ts';
import type { ArrivalDay } from '#shared/domain/lists/arrival-days.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { resolveFilter } from '#shared/places/read-place.ts';
import { countArrivalDays as countInStore } from '#shared/store/analytics/arrival-days.ts';
import { narrowByWords } from '#shared/store/lists/narrow-by-words.ts';
import { countLimit } from '#shared/store/lists/shipment-counts.ts';
import { withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { nameFastLists } from '../lists/list-shipments.ts';
import { resolveMemberFilter } from '../lists/resolve-member-filter.ts';

/**
 * Counts the shipments that match the filter by their day of arrival, both ends included, without its conditions on
 * status and days of arrival. Throws LandfallError `list_too_slow`.
 */
export function countArrivalDays(
  ctx: CoreContext,
  caller: Caller,
  { filter, from, to }: { filter: ShipmentFilter; from: string; to: string },
): Promise<ArrivalDay[]> {
  const { accountId, test } = caller;
  const resolved = resolveFilter(resolveMemberFilter(caller, filter));
  return nameFastLists(() =>
    withAccountReads(ctx.store, accountId, async (tx) => {
      const scope = await narrowByWords(tx, { accountId, test, filter: resolved }, countLimit);
      return countInStore(tx, scope, { from, to });
    }),
  );
}
