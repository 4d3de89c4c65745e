import type { CoreContext } from '#shared/core/core-context.ts';
import { findConnectorWork, sweepDue } from '#shared/core/tracking/refresh-claims.ts';
import type { SweepPace, SweepPlanner } from '../pacing/backpressure.ts';
import { pacing } from '../pacing/pacing.ts';

export type SweepOptions = {
  core: CoreContext;
  connectors: readonly string[];
  planner: SweepPlanner;
  pace: SweepPace;
  signal: AbortSignal;
};

/**
 * Claims and queues what is due, as much as budgets and workers can take. Returns the milliseconds until the next sweep
 * if it can't keep up. A failing connector doesn't delay the others: the first error is thrown after all were swept.
 */
export async function sweep({ core, connectors, planner, pace, signal }: SweepOptions): Promise<number | undefined> {
  let isMoreDue = false;
  const errors: unknown[] = [];
  for (const { connector, due } of await findConnectorWork(core, connectors)) {
    if (signal.aborted) break;
    if (!due) continue;
    try {
      const [covered, paced] = await Promise.all([planner.room(connector), pace.room(connector)]);
      const limit = Math.min(covered.limit, paced);
      const { exceptAccounts } = covered;
      const plan: Parameters<typeof sweepDue>[1]['plan'] = (claims) => planner.plan(connector, claims);
      const claimed = limit === 0 ? 0 : await sweepDue(core, { connector, limit, exceptAccounts, plan });
      // If the budgets are the limit, an earlier sweep would find no more calls.
      if (claimed >= limit && paced <= covered.limit) isMoreDue = true;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return isMoreDue ? pacing.backpressure.busySweepEveryMs : undefined;
}
