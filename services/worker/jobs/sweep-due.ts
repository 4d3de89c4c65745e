import type { CoreContext } from '#shared/core/core-context.ts';
import { sweepDue } from '#shared/core/sweep-due.ts';
import type { LookPlanner } from '../plan-looks.ts';
import { repeatJob } from './repeat-job.ts';

export type SweepOptions = {
  connectors: readonly string[];
  /** Knows what the budgets carry now: more is not claimed, so that nothing waits out its lease in the queue. */
  planner: LookPlanner;
  signal: AbortSignal;
  intervalMs?: number;
};

const batchSize = 500;
const longestPauseMs = 5000;

/** Puts what is due on the queue, every second and at once again after a full batch, until `signal`. An error is logged and never ends it. */
export async function runSweep(core: CoreContext, options: SweepOptions): Promise<void> {
  const { signal, intervalMs = 1000 } = options;
  await repeatJob({
    name: 'the sweep',
    run: async () => ((await sweepOnce(core, options)) ? 0 : intervalMs),
    signal,
    log: core.log,
    shortestPauseMs: intervalMs,
    longestPauseMs,
  });
}

/** One failing connector must not starve the others: all are tried, then the first error is thrown. */
async function sweepOnce(core: CoreContext, options: SweepOptions): Promise<boolean> {
  let isMoreDue = false;
  const errors: unknown[] = [];
  for (const connector of options.connectors) {
    if (options.signal.aborted) break;
    try {
      const { limit, exceptAccounts } = await options.planner.room(connector);
      const claimed = await sweepDue(core, { connectors: [connector], limit, exceptAccounts, plan: options.planner.plan });
      if (claimed >= batchSize) isMoreDue = true;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return isMoreDue;
}
