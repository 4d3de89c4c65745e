import type { CoreContext } from '#shared/core/core-context.ts';
import { keepTraces } from '#shared/core/operations/find-traces.ts';
import { repeatJob } from './repeat-job.ts';

const intervalMs = 60 * 60_000;
const longestPauseMs = 60_000;

/** Makes and drops the days of the trace store, every hour until `signal`. */
export async function runTraceKeeping(core: CoreContext, signal: AbortSignal): Promise<void> {
  await repeatJob({
    name: "the care of the trace store's days",
    signal,
    log: core.log,
    longestPauseMs,
    run: async () => {
      await keepTraces(core);
      // Workers started together do not stay together.
      return intervalMs * (0.9 + Math.random() / 5);
    },
  });
}
