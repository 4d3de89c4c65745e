import type { CoreContext } from '#shared/core/core-context.ts';
import { positionBatchSize, positionChanges } from '#shared/core/feed/list-changes.ts';

const busyPauseMs = 100;
/** The first change after a quiet time waits at most this long for its position. */
const maxPauseMs = 500;

/** Gives changes their position in the feed. Every worker runs this job, and one of them at a time does the work. */
export function createSequencer(core: CoreContext): () => Promise<number> {
  let pauseMs = busyPauseMs;
  return async () => {
    const positioned = await positionChanges(core);
    pauseMs = positioned === null || positioned > 0 ? busyPauseMs : Math.min(pauseMs * 1.5, maxPauseMs);
    return positioned !== null && positioned >= positionBatchSize ? 0 : pauseMs;
  };
}
