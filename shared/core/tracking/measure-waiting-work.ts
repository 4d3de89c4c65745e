import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import { readWaitingWork } from '#shared/store/system/waiting-work.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Age in seconds of the oldest of each kind of work that waits, 0 where none does; `dueCount` is counted up to 10,000. */
export type WaitingWork = { dueOldestAgeS: number; dueCount: number; unsequencedAgeS: number; deliveryAgeS: number };

/** What of the whole installation's work waits. Throws LandfallError `unavailable` when the database is away. */
export async function measureWaitingWork(ctx: Pick<CoreContext, 'store'>): Promise<WaitingWork> {
  const found = await withSystem(ctx.store, (tx) => readWaitingWork(tx, refreshQueues));
  const age = (seconds: number | null): number => Math.max(0, seconds ?? 0);
  return {
    dueOldestAgeS: age(found.dueOldestAgeS),
    dueCount: found.dueCount,
    unsequencedAgeS: age(found.unsequencedAgeS),
    deliveryAgeS: age(found.deliveryAgeS),
  };
}
