import type { CoreContext } from '#shared/core/core-context.ts';
import {
  assessBatchSize,
  assessDueFreeTime,
  markReplacedFreeTimeTerms,
} from '#shared/core/tracking/assess-due-free-time.ts';

const secondMs = 1000;

/** The periodic jobs that assess free time as days pass and after terms were replaced. */
export function freeTimeJobs(core: CoreContext, { jitter }: { jitter: number }) {
  return [
    {
      name: 'mark-replaced-terms',
      everyMs: 2 * secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => ((await markReplacedFreeTimeTerms(core)) ? 0 : undefined),
    },
    {
      name: 'assess-free-time',
      everyMs: 5 * secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => ((await assessDueFreeTime(core)) >= assessBatchSize ? 0 : undefined),
    },
  ];
}
