import { followAnalytics } from '#shared/core/analytics/follow-feed.ts';
import { measureTrackingHealth } from '#shared/core/analytics/measure-tracking.ts';
import type { CoreContext } from '#shared/core/core-context.ts';

const secondMs = 1000;

/** The periodic jobs that keep what analytics count. */
export function analyticsJobs(core: CoreContext, { jitter, signal }: { jitter: number; signal: AbortSignal }) {
  return [
    {
      name: 'follow-analytics',
      // Changes of one shipment within the pause are read once. Between pages of a backlog, others get the database.
      everyMs: 3 * secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => ((await followAnalytics(core, { signal })) ? 50 : undefined),
    },
    {
      name: 'measure-tracking',
      everyMs: 15 * secondMs,
      jitter,
      maxBackoffMs: 60 * secondMs,
      run: async () => ((await measureTrackingHealth(core, { signal })) ? 50 : undefined),
    },
  ];
}
