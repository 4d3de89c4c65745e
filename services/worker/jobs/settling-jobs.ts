import type { CoreContext } from '#shared/core/core-context.ts';
import { removeExpired } from '#shared/core/removal/remove-expired.ts';
import { settleShipments, settlingBatchSize } from '#shared/core/settling/settle-shipments.ts';
import { addTo } from '#shared/telemetry/instruments.ts';

const minuteMs = 60_000;

/** The periodic jobs that settle closed shipments, and remove those whose retention period is over. */
export function settlingJobs(core: CoreContext, { jitter, signal }: { jitter: number; signal: AbortSignal }) {
  const onSettled = () => addTo('landfall.shipments.settled', 1, {});
  const onRemoved = (shipments: number, by: 'retention' | 'account') =>
    addTo('landfall.shipments.removed', shipments, { by });
  return [
    {
      name: 'settle-shipments',
      everyMs: minuteMs,
      jitter,
      maxBackoffMs: minuteMs,
      run: () => inHalfTheTime(settlingBatchSize, () => settleShipments(core, { signal, onSettled })),
    },
    {
      name: 'remove-shipments',
      everyMs: 5 * minuteMs,
      jitter,
      maxBackoffMs: minuteMs,
      run: () => inHalfTheTime(1, () => removeExpired(core, { signal, onRemoved })),
    },
  ];
}

/** After a full batch, pauses for as long as it took, so that a backlog leaves half the time to other work. */
async function inHalfTheTime(batchSize: number, run: () => Promise<number>): Promise<number | undefined> {
  const startedAt = performance.now();
  return (await run()) >= batchSize ? performance.now() - startedAt : undefined;
}
