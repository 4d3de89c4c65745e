import type { Caller } from '#shared/domain/caller.ts';
import { type Status, statuses, type TrackingReason, type TrackingState } from '#shared/domain/record/shipment.ts';
import { type KeptCount, readKeptCounts } from '#shared/store/lists/kept-counts.ts';
import { countArriving, countLate, countStaleShipments } from '#shared/store/lists/overview.ts';
import { readTime, withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Shipments that are not tracked on schedule, by state and reason. */
export type FailureCount = {
  state: TrackingState;
  reason: TrackingReason | null;
  count: number;
  needsAttention: number;
};

export type Overview = {
  statuses: { status: Status; count: number; late: number }[];
  total: number;
  current: number;
  needsAttention: number;
  rest: number;
  exceptions: number;
  stale: number;
  arrivingToday: number;
  failures: FailureCount[];
  asOf: string;
};

const notFollowed: readonly TrackingState[] = ['failed', 'degraded', 'awaiting_carrier'];
const closed: readonly Status[] = ['delivered', 'returned', 'failed', 'cancelled'];

/**
 * Reads the counts of shipments that need attention today. `day` (`2026-04-15`) is the day of `arrivingToday`; null is
 * today in UTC. Reads kept counts and bounded indexes of rare states, so that the cost doesn't grow with the number of
 * shipments.
 */
export function readOverview(ctx: CoreContext, caller: Caller, day: string | null = null): Promise<Overview> {
  const scope = { accountId: caller.accountId, test: caller.test };
  return withAccountReads(ctx.store, caller.accountId, async (tx) => {
    const asOf = (await readTime(tx)).toISOString();
    const kept = await readKeptCounts(tx, { ...scope, filter: {} });
    const late = await countLate(tx, scope);
    const sum = (counts: (count: KeptCount) => boolean) =>
      kept.filter(counts).reduce((total, { counted }) => total + counted, 0);
    return {
      statuses: statuses.map((status) => ({
        status,
        count: sum((count) => count.status === status),
        late: late.get(status) ?? 0,
      })),
      total: sum(() => true),
      current: sum(isCurrent),
      needsAttention: sum(({ needsAttention }) => needsAttention),
      rest: sum((count) => isCurrent(count) && !count.needsAttention),
      exceptions: sum(({ hasException }) => hasException),
      stale: await countStaleShipments(tx, scope),
      arrivingToday: await countArriving(tx, scope, day ?? asOf.slice(0, 10)),
      failures: failuresOf(kept),
      asOf,
    };
  });
}

function isCurrent({ status }: KeptCount): boolean {
  return !closed.includes(status);
}

function failuresOf(kept: readonly KeptCount[]): FailureCount[] {
  const failing = kept.filter(({ state }) => notFollowed.includes(state));
  return [...Map.groupBy(failing, ({ state, reason }) => `${state} ${reason ?? ''}`).values()].flatMap((counts) => {
    const [first] = counts;
    if (first === undefined) return [];
    const sum = (some: readonly KeptCount[]) => some.reduce((total, { counted }) => total + counted, 0);
    const needing = counts.filter(({ needsAttention }) => needsAttention);
    return [{ state: first.state, reason: first.reason, count: sum(counts), needsAttention: sum(needing) }];
  });
}
