import type { CoreContext } from '#shared/core/core-context.ts';
import { expireRecords } from '#shared/core/operations/expire-records.ts';
import { repeatJob } from './repeat-job.ts';

const intervalMs = 5 * 60_000;
const longestPauseMs = 60_000;

/** Ends what is kept for a time only, every five minutes until `signal`. */
export async function runExpiry(core: CoreContext, signal: AbortSignal): Promise<void> {
  await repeatJob({
    name: 'the removal of expired records',
    signal,
    log: core.log,
    longestPauseMs,
    run: async () => {
      const ended = await expireRecords(core, { signal });
      if (Object.values(ended).some((count) => count > 0)) core.log.info({ ended }, 'expired records were ended');
      // Workers started together do not stay together.
      return intervalMs * (0.9 + Math.random() / 5);
    },
  });
}
