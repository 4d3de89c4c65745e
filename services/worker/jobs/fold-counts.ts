import type { CoreContext } from '#shared/core/core-context.ts';
import { foldBatchSize, foldCounts } from '#shared/core/shipments/count-shipments.ts';
import { repeatJob } from './repeat-job.ts';

const intervalMs = 2000;
const longestPauseMs = 30_000;

/** Folds the counts every two seconds, and at once again after a full batch, until `signal`: whoever reads counts adds up what is left. */
export async function runCountFolding(core: CoreContext, signal: AbortSignal): Promise<void> {
  await repeatJob({
    name: 'the folding of counts',
    signal,
    log: core.log,
    longestPauseMs,
    run: async () => ((await foldCounts(core)) >= foldBatchSize ? 0 : intervalMs * (0.9 + Math.random() / 5)),
  });
}
