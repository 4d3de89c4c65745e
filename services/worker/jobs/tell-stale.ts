import type { CoreContext } from '#shared/core/core-context.ts';
import { staleBatchSize, tellStale } from '#shared/core/tracking/tell-stale.ts';
import { repeatJob } from './repeat-job.ts';

const intervalMs = 5000;
const longestPauseMs = 30_000;

/** Tells of shipments that went stale, every five seconds and at once again after a full batch, until `signal`. */
export async function runStaleWatch(core: CoreContext, signal: AbortSignal): Promise<void> {
  await repeatJob({
    name: 'the watch for stale shipments',
    signal,
    log: core.log,
    longestPauseMs,
    run: async () => ((await tellStale(core)) >= staleBatchSize ? 0 : intervalMs * (0.9 + Math.random() / 5)),
  });
}
