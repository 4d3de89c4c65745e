import { jittered } from '#shared/async/sleep.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { onChangesWaiting, sequenceBatchSize, sequenceChanges } from '#shared/core/feed/sequence-changes.ts';

/**
 * Approximate maximum time that a change which another process wrote waits for its sequence. Nearly every change is
 * written by a worker, which does not wait. A run without changes takes the database 0.1 ms.
 */
const pauseMs = 100;
const jitter = 0.1;
/** At least this long between two runs, so that one takes the changes of several transactions. */
const busyPauseMs = 25;

/**
 * Gives changes their sequence in the feed: right after a transaction of this process that wrote some, and else every
 * 0.1 s. Every worker runs this job, and one of them at a time does the work. `onSequenced` is called with the accounts
 * whose feed has grown.
 */
export function createSequencer(
  core: CoreContext,
  { signal, onSequenced }: { signal: AbortSignal; onSequenced?: (accountIds: readonly string[]) => void },
): () => Promise<number> {
  let isWanted = true;
  let wake: (() => void) | null = null;
  onChangesWaiting(core, () => {
    isWanted = true;
    wake?.();
  });
  const untilWanted = (): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        wake = null;
        resolve();
      };
      const timer = setTimeout(end, jittered(pauseMs - busyPauseMs, jitter));
      signal.addEventListener('abort', end);
      wake = end;
      if (isWanted || signal.aborted) end();
    });
  return async () => {
    await untilWanted();
    // Before the statement: what is committed while it runs may be too late for it.
    isWanted = false;
    const sequenced = await sequenceChanges(core, onSequenced);
    // Changes that were committed after the other sequencer began need another run.
    if (sequenced === null) isWanted = true;
    return sequenced !== null && sequenced >= sequenceBatchSize ? 0 : busyPauseMs;
  };
}
