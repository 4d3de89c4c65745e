import type { CoreContext } from '#shared/core/core-context.ts';
import { processDeliveries, type ReaderOf } from '#shared/core/push/process-deliveries.ts';
import { currentTraceId, inSpan } from '#shared/telemetry/events.ts';
import type { Connector } from '../carriers/carrier.ts';
import { connectors, isConnectorCode } from '../carriers/registry.ts';
import { repeatJob } from './repeat-job.ts';

/** The longest that a delivery waits for a worker with nothing else to do. */
const intervalMs = 400;
const longestPauseMs = 5000;

/** Reads what carriers sent, without a pause while there is something, until `signal`. An error is logged and never ends it. */
export async function runDeliveryLoop(core: CoreContext, signal: AbortSignal): Promise<void> {
  await repeatJob({
    name: 'the reading of deliveries',
    signal,
    log: core.log,
    longestPauseMs,
    run: async () => {
      const count = await processDeliveries(core, {
        readerOf,
        signal,
        inTrace: ({ connector }, work) =>
          inSpan('process-delivery', { root: true, links: [], attributes: { 'push.connector': connector } }, () =>
            work(currentTraceId()),
          ),
      });
      return count > 0 ? 0 : intervalMs;
    },
  });
}

export const readerOf: ReaderOf = (connector, { simulated }) => {
  if (!isConnectorCode(connector)) return null;
  const { push }: Connector = connectors[connector];
  return push?.reader(simulated) ?? null;
};
