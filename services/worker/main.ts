import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { readEnv } from '#shared/config/env.ts';
import { countQueued } from '#shared/core/tracking/count-queued.ts';
import { measureWaitingWork } from '#shared/core/tracking/measure-waiting-work.ts';
import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import { runMain } from '#shared/lifecycle.ts';
import type { RefreshPayload } from '#shared/queue/connection.ts';
import { openConsumer, type RefreshConsumer } from '#shared/queue/consumer.ts';
import { poolWaiting } from '#shared/store/open-store.ts';
import { createLogger } from '#shared/telemetry/logger.ts';
import { publishGauges } from '#shared/telemetry/publish-gauges.ts';
import { readMetrics, shutdownTelemetry } from '#shared/telemetry/sdk.ts';
import { openWorkerContext } from './context.ts';
import { carrierHealth, credentialsServed } from './credentials/carrier-health.ts';
import { openHealth } from './health.ts';
import { runExpiry } from './jobs/expire-records.ts';
import { runCountFolding } from './jobs/fold-counts.ts';
import { runCredentialKeeping } from './jobs/keep-credentials.ts';
import { runSubscriptionLoop } from './jobs/keep-subscriptions.ts';
import { runTraceKeeping } from './jobs/keep-traces.ts';
import { runSequencer } from './jobs/position-changes.ts';
import { runDeliveryLoop } from './jobs/process-deliveries.ts';
import { runDemandWatch, runHealthReport } from './jobs/report-health.ts';
import { runImportLoop } from './jobs/run-imports.ts';
import { runSweep } from './jobs/sweep-due.ts';
import { runStaleWatch } from './jobs/tell-stale.ts';
import { watchQueue } from './jobs/watch-queue.ts';
import { runConsumerWatch } from './refresh/open-consumers.ts';
import { refreshShipments } from './refresh/refresh-shipment.ts';

/** Kept free of the shutdown's time for closing what the jobs used. */
const closingReserveMs = 1500;

const env = readEnv(process.env);
const log = createLogger({ name: 'worker', level: env.LOG_LEVEL, format: env.LOG_FORMAT });

await runMain(
  async ({ signal, onDispose }) => {
    onDispose(shutdownTelemetry, 'the telemetry');
    const ctx = await openWorkerContext(env, { onDispose }, log);

    const consumers: RefreshConsumer[] = [];
    const open = (connector: string): void => {
      const handle = async (job: RefreshPayload, jobSignal: AbortSignal): Promise<void> => {
        ctx.pace.done(connector, await refreshShipments(ctx, job, jobSignal));
      };
      consumers.push(openConsumer(ctx.queue, { connector, concurrency: env.WORKER_CONCURRENCY, handle }));
    };
    const queueWatch = watchQueue({ reaches: ctx.reachesQueue, signal, log });
    onDispose(() => queueWatch.ended, 'the watch for the queue');
    const health = await openHealth({
      host: env.HOST,
      port: env.WORKER_HEALTH_PORT,
      findObstacle: () => {
        if (signal.aborted) return 'the worker is stopping';
        return (
          queueWatch.obstacle() ??
          (consumers.every((consumer) => consumer.isReady()) ? null : 'a queue is not connected yet')
        );
      },
      readMetrics,
    });
    onDispose(health.close, 'the health endpoint');

    const gauges = publishGauges({
      waitingWork: () => measureWaitingWork(ctx.core),
      queues: () => countQueued(ctx.producer),
      poolWaiting: () => poolWaiting(ctx.core.store),
      carriers: () => carrierHealth(ctx.access, ctx.core.now),
    });
    onDispose(gauges.stop, 'the gauges');

    const sweeping = runSweep(ctx.core, { connectors: refreshQueues, planner: ctx.planner, pace: ctx.pace, signal });
    onDispose(() => sweeping, 'the sweep');
    const periodic = Promise.all([
      runSequencer(ctx.core, signal),
      runStaleWatch(ctx.core, signal),
      runExpiry(ctx.core, signal),
      runCountFolding(ctx.core, signal),
      runCredentialKeeping(ctx.core, signal),
      runTraceKeeping(ctx.core, signal),
    ]);
    onDispose(() => periodic, 'the periodic jobs');
    const reporting = runHealthReport(ctx.core, {
      workerId: randomUUID(),
      health: () => carrierHealth(ctx.access, ctx.core.now),
      served: () => credentialsServed(ctx.access),
      onWorkers: ctx.onWorkers,
      signal,
    });
    onDispose(() => reporting, 'the health report');
    const watching = runDemandWatch(ctx.core, ctx.pressure, signal);
    onDispose(() => watching, 'the demand watch');
    const delivered = runDeliveryLoop(ctx.core, signal);
    onDispose(() => delivered, 'the deliveries');
    const subscribing = runSubscriptionLoop(ctx.core, {
      access: ctx.access,
      callbackBaseUrl: env.PUSH === 'off' ? null : env.PUBLIC_BASE_URL,
      secretDays: env.PUSH_SECRET_DAYS,
      signal,
    });
    onDispose(() => subscribing, 'the subscriptions');
    const importing = runImportLoop(ctx.core, { signal });
    onDispose(() => importing, 'the imports');
    const opening = runConsumerWatch(ctx.core, { connectors: refreshQueues, open, signal });
    onDispose(() => opening, 'the opening of consumers');
    const drainMs = Math.max(env.SHUTDOWN_TIMEOUT_MS - closingReserveMs, 500);
    onDispose(() => Promise.all(consumers.map((consumer) => consumer.close(drainMs))), 'the consumers');

    log.info({ health: health.url, connectors: refreshQueues }, 'the worker takes jobs');
    process.send?.({ type: 'ready', url: health.url });
  },
  { deadlineMs: env.SHUTDOWN_TIMEOUT_MS, onError: (error, message) => log.error({ err: error }, message) },
);
