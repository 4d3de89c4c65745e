import { historyOf, type OperationsHistory, sampleOf, sampleTime } from '#shared/domain/installation/history.ts';
import { deleteOldSamples, hasSample, insertSample, readSamples } from '#shared/store/installation/samples.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { readOperations } from './read-operations.ts';

/**
 * Keeps the state of the installation once every five minutes, whichever worker is first, and returns whether this one
 * was. Throws LandfallError `unavailable`.
 */
export async function keepSample(ctx: Pick<CoreContext, 'store' | 'now'>): Promise<boolean> {
  const at = sampleTime(ctx.now().getTime());
  // Reading the state takes several statements; most workers come after the first.
  if (await withSystem(ctx.store, (tx) => hasSample(tx, at))) return false;
  const state = await readOperations(ctx, { countQueues: async () => [], apiLoopDelayMs: 0 });
  return withSystem(ctx.store, async (tx) => {
    const isFirst = await insertSample(tx, sampleOf(state, at));
    if (isFirst) await deleteOldSamples(tx, at);
    return isFirst;
  });
}

/** The last 24 hours of the installation. Throws LandfallError `unavailable`. */
export async function readHistory(ctx: Pick<CoreContext, 'store' | 'now'>): Promise<OperationsHistory> {
  const now = ctx.now();
  const samples = await withSystem(ctx.store, (tx) => readSamples(tx, now.toISOString()));
  return historyOf(samples, now.getTime());
}
