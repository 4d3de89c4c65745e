import type { CoreContext } from '#shared/core/core-context.ts';
import { scheduledRefreshes } from '#shared/core/tracking/scheduled-refreshes.ts';
import { sweepDue } from '#shared/core/tracking/sweep-due.ts';
import type { SweepPlanner } from '../pacing/plan-sweep.ts';
import type { SweepPace } from '../pacing/sweep-pace.ts';
import { repeatJob } from './repeat-job.ts';

export type SweepOptions = {
  connectors: readonly string[];
  /** Knows what the budgets carry now: more is not claimed, so that nothing waits out its lease in the queue. */
  planner: SweepPlanner;
  /** Knows what the workers can do in the next seconds, for the same reason. */
  pace: SweepPace;
  signal: AbortSignal;
  intervalMs?: number;
};

/** While more is due than was claimed. */
const busyIntervalMs = 200;
const longestPauseMs = 5000;

/** Puts what is due on the queue, every second and sooner while there is more, until `signal`. An error is logged and never ends it. */
export async function runSweep(core: CoreContext, options: SweepOptions): Promise<void> {
  const { signal, intervalMs = 1000 } = options;
  await repeatJob({
    name: 'the sweep',
    run: async () => ((await sweepOnce(core, options)) ? Math.min(busyIntervalMs, intervalMs) : intervalMs),
    signal,
    log: core.log,
    shortestPauseMs: intervalMs,
    longestPauseMs,
  });
}

/** One failing connector must not starve the others: all are tried, then the first error is thrown. */
async function sweepOnce(core: CoreContext, { connectors, planner, pace, signal }: SweepOptions): Promise<boolean> {
  let isMoreDue = false;
  const errors: unknown[] = [];
  for (const { connector, due } of await scheduledRefreshes(core, connectors)) {
    if (signal.aborted) break;
    if (!due) continue;
    try {
      const [{ limit, exceptAccounts }, paced] = await Promise.all([planner.room(connector), pace.room(connector)]);
      const most = Math.min(limit, paced);
      const claimed =
        most === 0
          ? 0
          : await sweepDue(core, { connectors: [connector], limit: most, exceptAccounts, plan: planner.plan });
      // Where the budgets hold the rest back, they tell when to come again.
      if (claimed >= most && paced <= limit) isMoreDue = true;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return isMoreDue;
}
