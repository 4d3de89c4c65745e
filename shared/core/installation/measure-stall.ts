import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import { findStall } from '#shared/domain/installation/find-stall.ts';
import { limitReadTime, readConnectorStates, readDue, readThroughput } from '#shared/store/system/operations.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/**
 * Measures the time for which shipments of the whole installation have been due while no refresh completed, in seconds.
 * Null: as in `findStall`, except that an installation without a live worker has stalled too: a worker without CPU time
 * reports too late to be counted. A worker passes the age of its own last refresh. Throws LandfallError `unavailable`.
 */
export function measureStall(
  ctx: Pick<CoreContext, 'store'>,
  ownAgeS: number = Number.POSITIVE_INFINITY,
): Promise<number | null> {
  return withSystem(ctx.store, async (tx) => {
    await limitReadTime(tx);
    const known = new Map((await readConnectorStates(tx)).map((row) => [row.connector, row]));
    const due = await readDue(tx, refreshQueues);
    const { completedAgeS } = await readThroughput(tx);
    const connectors = due.map(({ connector, oldestAgeS }) => ({
      dueOldestAgeS: oldestAgeS,
      circuit: known.get(connector)?.circuit ?? ('closed' as const),
      budgetLeft: known.get(connector)?.budgetLeft ?? null,
    }));
    const ageS = Math.min(ownAgeS, completedAgeS ?? Number.POSITIVE_INFINITY);
    return findStall({ completedAgeS: ageS, connectors });
  });
}
