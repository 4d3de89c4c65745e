import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { JobProducer, QueueCounts } from '#shared/queue/producer.ts';
import { countDemand, type DemandRow, readDemand } from '#shared/store/system/tracking/carrier-demand.ts';
import { readWaitingWork } from '#shared/store/system/tracking/waiting-work.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Age in seconds of the oldest waiting work of each kind, 0 without any; `dueCount` is counted up to 10,000. */
export type WaitingWork = { dueOldestAgeS: number; dueCount: number; unsequencedAgeS: number; deliveryAgeS: number };

export type QueuedJobs = { connector: string; counts: QueueCounts };

/** Workers share one count of the demand for about half a minute. */
const demandFreshS = 25;

/** The waiting work of the whole installation. Throws LandfallError `unavailable` if the database is unavailable. */
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

/** Jobs of each connector's queue by state. Rejects if the queue is unavailable. */
export async function countQueued(producer: Pick<JobProducer, 'queueCounts'>): Promise<QueuedJobs[]> {
  return Promise.all(
    refreshQueues.map(async (connector) => ({ connector, counts: await producer.queueCounts(connector) })),
  );
}

/** Refreshes scheduled for the next hour, by account and connector. */
export function measureDemand(ctx: CoreContext): Promise<DemandRow[]> {
  return withSystem(ctx.store, async (tx) => {
    await countDemand(tx, demandFreshS);
    return readDemand(tx);
  });
}
