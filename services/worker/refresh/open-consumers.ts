import type { CoreContext } from '#shared/core/core-context.ts';
import { scheduledRefreshes } from '#shared/core/tracking/scheduled-refreshes.ts';
import { repeatJob } from '../jobs/repeat-job.ts';

export type ConsumerWatch = { connectors: readonly string[]; open: (connector: string) => void; signal: AbortSignal };

/** The longest that a connector's first refresh waits for its consumer. */
const intervalMs = 250;
const longestPauseMs = 2000;

/**
 * Opens the consumer of a connector when its first refresh is planned, until `signal`: each costs connections, and most installations use few of
 * the connectors. Once open it stays.
 */
export async function runConsumerWatch(core: CoreContext, { connectors, open, signal }: ConsumerWatch): Promise<void> {
  const closed = new Set(connectors);
  await repeatJob({
    name: 'the watch for planned refreshes',
    signal,
    log: core.log,
    longestPauseMs,
    run: async () => {
      if (closed.size === 0) return longestPauseMs;
      for (const { connector, planned } of await scheduledRefreshes(core, [...closed])) {
        // Once the worker stops, nobody would close it.
        if (!planned || signal.aborted) continue;
        open(connector);
        closed.delete(connector);
      }
      return intervalMs;
    },
  });
}
