import type { CoreContext } from '#shared/core/core-context.ts';
import { sweepDue } from '#shared/core/sweep-due.ts';
import type { LookPlanner } from '../plan-looks.ts';

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
  let failures = 0;
  while (!signal.aborted) {
    let isMoreDue = false;
    try {
      isMoreDue = await sweepOnce(core, options);
      failures = 0;
    } catch (error) {
      failures += 1;
      core.log.warn({ err: error, failures }, 'the sweep failed and will be repeated');
    }
    const pauseMs = failures === 0 ? intervalMs : Math.min(intervalMs * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2);
    await pause(isMoreDue ? 0 : pauseMs, signal);
  }
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

async function pause(forMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, forMs);
  const wake = (): void => resolve();
  signal.addEventListener('abort', wake, { once: true });
  if (signal.aborted) resolve();
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', wake);
}
