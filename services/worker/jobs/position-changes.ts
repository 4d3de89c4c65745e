import type { CoreContext } from '#shared/core/core-context.ts';
import { positionBatchSize, positionChanges } from '#shared/core/feed/list-changes.ts';
import { repeatJob } from './repeat-job.ts';

const busyPauseMs = 100;
/** The longest that the first change after a quiet time waits for its place in the feed. */
const idlePauseMs = 500;
const longestPauseMs = 5000;

/** The sequencer: gives changes their place in the feed until `signal`. Every worker runs one; at any moment one of them works. */
export async function runSequencer(core: CoreContext, signal: AbortSignal): Promise<void> {
  let quietMs = busyPauseMs;
  await repeatJob({
    name: 'the sequencer',
    signal,
    log: core.log,
    longestPauseMs,
    run: async () => {
      const given = await positionChanges(core);
      quietMs = given === null || given > 0 ? busyPauseMs : Math.min(quietMs * 1.5, idlePauseMs);
      return given !== null && given >= positionBatchSize ? 0 : quietMs;
    },
  });
}
