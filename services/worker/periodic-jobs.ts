import { processDeliveries } from '#shared/core/carrier-subscriptions/process-deliveries.ts';
import { endWorker, reportCarrierHealth } from '#shared/core/carriers/report-carrier-health.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { endingBatchSize, endSilentTracking } from '#shared/core/events-in/end-silent-tracking.ts';
import { expireRecords } from '#shared/core/installation/expire-records.ts';
import { keepTraces } from '#shared/core/installation/find-traces.ts';
import { resealSecrets } from '#shared/core/installation/reseal-secrets.ts';
import { foldBatchSize, foldCounts } from '#shared/core/lists/count-shipments.ts';
import { attentionBatchSize, markAttention } from '#shared/core/tracking/mark-attention.ts';
import { markOverdueShipments, overdueBatchSize } from '#shared/core/tracking/mark-overdue.ts';
import { markStaleShipments, staleBatchSize } from '#shared/core/tracking/mark-stale.ts';
import { measureDemand } from '#shared/core/tracking/measure-waiting-work.ts';
import { recomposeBatchSize, recomposeJourneys } from '#shared/core/tracking/recompose-journeys.ts';
import { reportExhausted } from '#shared/core/tracking/report-delayed.ts';
import { wakeWaitingShipments } from '#shared/core/tracking/wake-waiting.ts';
import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import { deliveryReaderOf } from './carriers/registry.ts';
import type { WorkerContext } from './context.ts';
import { alertJobs } from './jobs/alert-jobs.ts';
import { analyticsJobs } from './jobs/analytics-jobs.ts';
import { answerersOf, createQuestionAnswering } from './jobs/answer-questions.ts';
import { feedJobs } from './jobs/feed-jobs.ts';
import { freeTimeJobs } from './jobs/free-time-jobs.ts';
import { importJobs } from './jobs/import-jobs.ts';
import { keepCarrierSubscriptions } from './jobs/keep-subscriptions.ts';
import { operationsHistoryJob } from './jobs/operations-history-job.ts';
import { positionsJob } from './jobs/positions-job.ts';
import type { PeriodicJob } from './jobs/run-periodic-jobs.ts';
import { settlingJobs } from './jobs/settling-jobs.ts';
import { carrierHealth, credentialsServed } from './pacing/carrier-health.ts';
import { pacing } from './pacing/pacing.ts';
import type { Consumers } from './refresh/consume.ts';
import { sweep } from './refresh/sweep.ts';
import type { WebhookConsumer } from './webhooks/consume.ts';

export type PeriodicJobOptions = {
  workerId: string;
  consumers: Consumers;
  webhookConsumer: Pick<WebhookConsumer, 'renew'>;
  checkDependencies: () => Promise<unknown>;
  /** Address at which carriers reach the API; null: carrier subscriptions are off. */
  callbackBaseUrl: string | null;
  subscriptionSecretDays: number;
  signal: AbortSignal;
};

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Every background job of the worker. Any number of workers may run each of them at the same time. */
export function periodicJobs(ctx: WorkerContext, options: PeriodicJobOptions): PeriodicJob[] {
  const { core, access } = ctx;
  const { workerId, consumers, webhookConsumer, callbackBaseUrl, subscriptionSecretDays, signal } = options;
  const sweeping = { core, connectors: refreshQueues, planner: ctx.planner, pace: ctx.pace, signal };
  const pushing = { core, access, callbackBaseUrl, secretDays: subscriptionSecretDays, signal };
  const jitter = 0.1;
  const alerts = alertJobs(ctx, { jitter, signal });
  return [
    {
      name: 'watch-dependencies',
      everyMs: secondMs,
      maxBackoffMs: secondMs,
      run: async () => void (await options.checkDependencies()),
    },
    {
      name: 'watch-refreshes',
      everyMs: 10 * secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: ctx.refreshes.check,
    },
    {
      name: 'open-consumers',
      // A connector's first refresh waits at most this long for its consumer.
      everyMs: 250,
      maxBackoffMs: 2 * secondMs,
      run: consumers.openNeeded,
    },
    {
      name: 'sweep-due',
      everyMs: pacing.backpressure.sweepEveryMs,
      minBackoffMs: pacing.backpressure.sweepEveryMs,
      maxBackoffMs: 5 * secondMs,
      run: () => sweep(sweeping),
    },
    {
      name: 'report-delayed',
      everyMs: pacing.backpressure.reportEveryMs,
      jitter,
      maxBackoffMs: minuteMs,
      run: async () => {
        for (const connector of refreshQueues) await reportExhausted(core, connector, ctx.planner.exhausted(connector));
        return undefined;
      },
    },
    {
      name: 'measure-demand',
      everyMs: pacing.cadencePressure.measureEveryMs,
      jitter,
      maxBackoffMs: 2 * minuteMs,
      run: async () => void ctx.pressure.update(await measureDemand(core)),
    },
    operationsHistoryJob(core, jitter),
    {
      name: 'report-health',
      everyMs: 5 * secondMs,
      maxBackoffMs: 30 * secondMs,
      run: async () => {
        const report = {
          health: carrierHealth(access, core.now),
          served: credentialsServed(access),
          loopDelayMs: ctx.eventLoop.read().p99S * 1000,
          completedAgeS: ctx.refreshes.completedAgeS(),
        };
        ctx.onWorkers(await reportCarrierHealth(core, workerId, report));
        return undefined;
      },
      // If it fails, the row of the worker expires.
      end: () => endWorker(core, workerId).catch(() => undefined),
    },
    ...feedJobs(ctx, { webhookConsumer, others: [alerts.waker], jitter, signal }),
    ...alerts.jobs,
    {
      name: 'mark-stale',
      everyMs: 5 * secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => againIf((await markStaleShipments(core)) >= staleBatchSize),
    },
    {
      name: 'end-silent-tracking',
      everyMs: 5 * secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => againIf((await endSilentTracking(core)) >= endingBatchSize),
    },
    {
      name: 'mark-overdue',
      everyMs: 5 * secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => againIf((await markOverdueShipments(core)) >= overdueBatchSize),
    },
    {
      name: 'mark-attention',
      everyMs: 5 * secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => againIf((await markAttention(core)) >= attentionBatchSize),
    },
    {
      name: 'fold-counts',
      // Readers of counts add up what isn't folded yet.
      everyMs: 2 * secondMs,
      jitter,
      maxBackoffMs: 30 * secondMs,
      run: async () => againIf((await foldCounts(core)) >= foldBatchSize),
    },
    ...importJobs(core, { jitter, signal }),
    {
      name: 'process-deliveries',
      everyMs: 400,
      maxBackoffMs: 5 * secondMs,
      run: async () => againIf((await processDeliveries(core, { readerOf: deliveryReaderOf, signal })) > 0),
    },
    {
      name: 'keep-subscriptions',
      everyMs: Math.max(secondMs, 30 * secondMs * Math.min(1, core.settings.cadenceScale)),
      jitter,
      maxBackoffMs: minuteMs,
      run: () => keepCarrierSubscriptions(pushing),
    },
    {
      name: 'answer-questions',
      // A person waits for the answer.
      everyMs: 400,
      maxBackoffMs: 5 * secondMs,
      ...createQuestionAnswering(core, answerersOf(ctx), signal),
    },
    ...(ctx.positions === null ? [] : [positionsJob(core, { source: ctx.positions, jitter, signal })]),
    {
      name: 'wake-waiting',
      everyMs: secondMs,
      jitter,
      maxBackoffMs: minuteMs,
      run: async () => void (await wakeWaitingShipments(core, signal)),
    },
    {
      name: 'reseal-secrets',
      everyMs: hourMs,
      // One run reseals everything.
      maxRunMs: 6 * hourMs,
      jitter,
      maxBackoffMs: minuteMs,
      run: () => resealAndLog(core, signal),
    },
    {
      name: 'expire-records',
      everyMs: 5 * minuteMs,
      // One run deletes everything that has expired.
      maxRunMs: 6 * hourMs,
      jitter,
      maxBackoffMs: minuteMs,
      run: () => expireAndLog(core, signal),
    },
    ...analyticsJobs(core, { jitter, signal }),
    ...freeTimeJobs(core, { jitter }),
    ...settlingJobs(core, { jitter, signal }),
    {
      name: 'recompose-journeys',
      // After a migration that changes how journeys are composed, batch follows batch.
      everyMs: minuteMs,
      jitter,
      maxBackoffMs: minuteMs,
      run: async () => ((await recomposeJourneys(core)) >= recomposeBatchSize ? 0 : undefined),
    },
    {
      name: 'keep-traces',
      everyMs: hourMs,
      jitter,
      maxBackoffMs: minuteMs,
      run: async () => void (await keepTraces(core)),
    },
  ];
}

/** The pause after a full batch: none. */
function againIf(isMoreWaiting: boolean): number | undefined {
  return isMoreWaiting ? 0 : undefined;
}

async function resealAndLog(core: CoreContext, signal: AbortSignal): Promise<undefined> {
  const done = await resealSecrets(core, signal);
  if (done.resealed > 0 || done.unreadable > 0)
    core.log.info(
      { ...done, keyVersion: core.secretKeys?.present },
      'stored credentials resealed with the current key',
    );
}

async function expireAndLog(core: CoreContext, signal: AbortSignal): Promise<undefined> {
  const ended = await expireRecords(core, { signal });
  if (Object.values(ended).some((count) => count > 0)) core.log.info({ ended }, 'expired records deleted');
}
