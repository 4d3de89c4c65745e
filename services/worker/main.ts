import process from 'node:process';
import { readEnv } from '#shared/config/env.ts';
import { lookQueues } from '#shared/domain/carrier-catalogue.ts';
import { runMain } from '#shared/lifecycle.ts';
import { openConsumer } from '#shared/queue/consumer.ts';
import { createLogger } from '#shared/telemetry/logger.ts';
import { isConnectorCode } from './carriers/registry.ts';
import { openWorkerContext } from './context.ts';
import { openHealth } from './health.ts';
import { runExpiry } from './jobs/expire-records.ts';
import { runSequencer } from './jobs/position-changes.ts';
import { refreshShipments } from './jobs/refresh-shipment.ts';
import { runImportLoop } from './jobs/run-imports.ts';
import { runSweep } from './jobs/sweep-due.ts';
import { runStaleWatch } from './jobs/tell-stale.ts';

/** Kept free of the shutdown's time for closing what the jobs used. */
const closingReserveMs = 1500;

const env = readEnv(process.env);
const log = createLogger({ name: 'worker', level: env.LOG_LEVEL, format: env.LOG_FORMAT });

await runMain(
  async ({ signal, onDispose }) => {
    const ctx = await openWorkerContext(env, { onDispose }, log);

    const consumers = lookQueues.map((connector) =>
      openConsumer(ctx.queue, {
        connector,
        concurrency: env.WORKER_CONCURRENCY,
        handle: (job, jobSignal) => refreshShipments(ctx, job, jobSignal),
      }),
    );
    const health = await openHealth({
      host: env.HOST,
      port: env.WORKER_HEALTH_PORT,
      isReady: () => !signal.aborted && consumers.every((consumer) => consumer.isReady()),
    });
    onDispose(health.close, 'the health endpoint');

    const sweeping = runSweep(ctx.core, { connectors: lookQueues, freeCalls, signal });
    onDispose(() => sweeping, 'the sweep');
    const periodic = Promise.all([runSequencer(ctx.core, signal), runStaleWatch(ctx.core, signal), runExpiry(ctx.core, signal)]);
    onDispose(() => periodic, 'the periodic jobs');
    const importing = runImportLoop(ctx.core, { signal });
    onDispose(() => importing, 'the imports');
    const drainMs = Math.max(env.SHUTDOWN_TIMEOUT_MS - closingReserveMs, 500);
    onDispose(() => Promise.all(consumers.map((consumer) => consumer.close(drainMs))), 'the consumers');

    await Promise.all(consumers.map((consumer) => consumer.ready));
    log.info({ health: health.url, connectors: lookQueues }, 'the worker takes jobs');
    process.send?.({ type: 'ready', url: health.url });

    function freeCalls(connector: string): number {
      const carrier = isConnectorCode(connector) ? ctx.carrierFor(connector) : null;
      // Without a carrier to ask, a look costs nothing and only says why.
      return carrier === null ? Number.MAX_SAFE_INTEGER : carrier.budget.free();
    }
  },
  { deadlineMs: env.SHUTDOWN_TIMEOUT_MS, onError: (error, message) => log.error({ err: error }, message) },
);
