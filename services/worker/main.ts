import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { readEnv } from '#shared/config/env.ts';
import { measureAlerts } from '#shared/core/alerts/read-messages.ts';
import { measureSettling } from '#shared/core/settling/settle-shipments.ts';
import { countQueued, measureWaitingWork } from '#shared/core/tracking/measure-waiting-work.ts';
import { measureWebhooks } from '#shared/core/webhooks/measure-webhooks.ts';
import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import { hostCheck } from '#shared/domain/installation/allowed-host.ts';
import { runMain } from '#shared/lifecycle.ts';
import { findWriteFault } from '#shared/store/is-read-only.ts';
import { poolWaiting } from '#shared/store/open-store.ts';
import { createLogger } from '#shared/telemetry/logger.ts';
import { publishGauges } from '#shared/telemetry/publish-gauges.ts';
import { readMetrics, shutdownTelemetry } from '#shared/telemetry/sdk.ts';
import { openWorkerContext } from './context.ts';
import { openHealth } from './health.ts';
import { runPeriodicJobs } from './jobs/run-periodic-jobs.ts';
import { createDependencyWatch } from './jobs/watch-dependency.ts';
import { openJobWatch } from './jobs/watch-jobs.ts';
import { carrierHealth } from './pacing/carrier-health.ts';
import { periodicJobs } from './periodic-jobs.ts';
import { openConsumers } from './refresh/consume.ts';
import { openWebhookConsumer } from './webhooks/consume.ts';

/** Part of the shutdown time that is reserved for closing connections after the jobs have ended. */
const closingReserveMs = 1500;

const env = readEnv(process.env);
const log = createLogger({ name: 'worker', level: env.LOG_LEVEL, format: env.LOG_FORMAT });

await runMain(
  async ({ signal, onDispose }) => {
    onDispose(shutdownTelemetry, 'the telemetry');
    const ctx = await openWorkerContext(env, { onDispose }, log);

    const queueWatch = createDependencyWatch('queue', ctx.findQueueFault);
    const databaseWatch = createDependencyWatch('database', () => findWriteFault(ctx.core.store.app));
    const jobWatch = openJobWatch();
    const concurrency = env.WORKER_CONCURRENCY;
    const consumers = openConsumers(ctx, { connectors: refreshQueues, concurrency, signal });
    const webhookConsumer = openWebhookConsumer(ctx.webhooks);
    const health = await openHealth({
      host: env.HOST,
      port: env.WORKER_HEALTH_PORT,
      isAllowedHost: hostCheck([env.HOST, ...env.ALLOWED_HOSTS]),
      findFault: jobWatch.fault,
      findObstacle: () => {
        if (signal.aborted) return 'the worker is stopping';
        return (
          databaseWatch.obstacle() ??
          queueWatch.obstacle() ??
          ctx.refreshes.obstacle() ??
          (consumers.areReady() && webhookConsumer.isReady() ? null : 'a queue is not connected yet')
        );
      },
      readMetrics,
      onError: (error) => log.warn({ err: error }, 'health endpoint failed'),
    });
    onDispose(health.close, 'the health endpoint');

    const gauges = publishGauges({
      waitingWork: () => measureWaitingWork(ctx.core),
      queues: () => countQueued(ctx.producer),
      poolWaiting: () => poolWaiting(ctx.core.store),
      eventLoop: ctx.eventLoop,
      settling: () => measureSettling(ctx.core),
      webhooks: () => measureWebhooks(ctx.core),
      alerts: () => measureAlerts(ctx.core),
      stalledS: ctx.refreshes.stalledS,
      carriers: () => carrierHealth(ctx.access, ctx.core.now),
    });
    onDispose(gauges.stop, 'the gauges');

    const jobs = periodicJobs(ctx, {
      workerId: randomUUID(),
      consumers,
      webhookConsumer,
      checkDependencies: () => Promise.all([queueWatch.check(), databaseWatch.check()]),
      callbackBaseUrl: env.CARRIER_SUBSCRIPTIONS === 'off' ? null : env.PUBLIC_BASE_URL,
      subscriptionSecretDays: env.CARRIER_SUBSCRIPTION_SECRET_DAYS,
      signal,
    });
    const running = runPeriodicJobs(jobs, { signal, log, watch: jobWatch.watch });
    onDispose(() => running, 'the periodic jobs');
    const drainMs = Math.max(env.SHUTDOWN_TIMEOUT_MS - closingReserveMs, 500);
    onDispose(() => Promise.all([consumers.close(drainMs), webhookConsumer.close(drainMs)]), 'the consumers');

    log.info({ health: health.url, connectors: refreshQueues }, 'worker ready');
    process.send?.({ type: 'ready', url: health.url });
  },
  { deadlineMs: env.SHUTDOWN_TIMEOUT_MS, onError: (error, message) => log.error({ err: error }, message) },
);
