import type { CoreContext } from '#shared/core/core-context.ts';
import { releaseAssignments } from '#shared/core/notes/release-assignments.ts';

const secondMs = 1000;

/** Jobs that run after a member leaves an account: their shipments lose their assignee. */
export function peopleJobs(core: CoreContext, { jitter }: { jitter: number }) {
  return [
    {
      name: 'release-assignments',
      everyMs: 5 * secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => ((await releaseAssignments(core)) ? 0 : undefined),
    },
  ];
}
