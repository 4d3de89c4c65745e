import type { CoreContext } from '#shared/core/core-context.ts';
import { moveNextFormerEvents } from '#shared/core/tracking/move-former-events.ts';
import { recomposeBatchSize, recomposeJourneys } from '#shared/core/tracking/recompose-journeys.ts';

const minuteMs = 60_000;

/** The periodic jobs that bring rows of an earlier release up to date. After an upgrade, batch follows batch. */
export function upgradeJobs(core: CoreContext, { jitter }: { jitter: number }) {
  let movedTo: Awaited<ReturnType<typeof moveNextFormerEvents>> = null;
  return [
    {
      name: 'recompose-journeys',
      everyMs: minuteMs,
      jitter,
      maxBackoffMs: minuteMs,
      run: async () => ((await recomposeJourneys(core)) >= recomposeBatchSize ? 0 : undefined),
    },
    {
      name: 'move-former-events',
      // A full round moves every event whose shipment was not locked.
      everyMs: minuteMs,
      jitter,
      maxBackoffMs: minuteMs,
      run: async () => {
        movedTo = await moveNextFormerEvents(core, movedTo);
        return movedTo === null ? undefined : 0;
      },
    },
  ];
}
