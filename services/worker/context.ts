import { readFileSync } from 'node:fs';
import { credentialKeys, type Env, isMachineOnly, mailFrom, requireDatabaseUrl } from '#shared/config/env.ts';
import { workerPools } from '#shared/config/pool-sizes.ts';
import { toJourneyText } from '#shared/contract/record/shipment-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { measureStall } from '#shared/core/installation/measure-stall.ts';
import { openCore } from '#shared/core/open-core.ts';
import { openSecretKeys } from '#shared/core/secrets/seal-secret.ts';
import type { Life } from '#shared/lifecycle.ts';
import { redisTokens } from '#shared/limits/redis-tokens.ts';
import { openTokenBuckets, type TokenBucketsOptions } from '#shared/limits/token-buckets.ts';
import { openConfiguredSender } from '#shared/net/configured-sender.ts';
import { openQueueBackend, prepareQueue, queuePrefix } from '#shared/queue/connection.ts';
import { createQueueFaultFinder } from '#shared/queue/find-queue-fault.ts';
import { openRedis } from '#shared/queue/open-redis.ts';
import { type JobProducer, openProducer } from '#shared/queue/producer.ts';
import { openStore } from '#shared/store/open-store.ts';
import { openTraceStore } from '#shared/store/open-trace-store.ts';
import { insertSpans } from '#shared/store/system/insert-spans.ts';
import { openTokenTable } from '#shared/store/system/token-buckets.ts';
import { currentTraceId } from '#shared/telemetry/events.ts';
import type { Logger } from '#shared/telemetry/logger.ts';
import { attachTraceStore, logOtlpState } from '#shared/telemetry/sdk.ts';
import { type EventLoopWatch, watchEventLoop } from '#shared/telemetry/watch-event-loop.ts';
import { openMailer } from './alerts/mailer.ts';
import type { SendContext } from './alerts/send-alerts.ts';
import { createCarrierFetch, openCarrierAgent } from './calls/carrier-fetch.ts';
import { readerIdentity } from './calls/reader-identity.ts';
import { createTokenCache } from './carriers/oauth-sign-in.ts';
import { connectors, isConnectorCode } from './carriers/registry.ts';
import { type CarrierAccesses, openCarrierAccess } from './credentials/carrier-access.ts';
import { type Credentials, openCredentials } from './credentials/credentials.ts';
import { openRefusalMemory } from './credentials/evaluate-refusals.ts';
import type { PositionSource } from './jobs/positions-job.ts';
import { createRefreshWatch, type RefreshWatch } from './jobs/watch-refreshes.ts';
import { createSweepPace, createSweepPlanner, type SweepPlanner } from './pacing/backpressure.ts';
import { type CadencePressure, createCadencePressure } from './pacing/cadence-pressure.ts';
import { openConcurrencies } from './pacing/concurrency.ts';
import type { ConsumeContext } from './refresh/consume.ts';
import { openRefreshBatchers } from './refresh/record.ts';
import type { WebhookContext } from './webhooks/consume.ts';
import { openPreparedFeeds } from './webhooks/prepared-changes.ts';
import { openSelections } from './webhooks/selections.ts';
import { openWaker, type Waker } from './webhooks/wake.ts';

/** Everything the worker holds. */
export type WorkerContext = ConsumeContext & {
  /** For `openWebhookConsumer`. */
  webhooks: WebhookContext & { waker: Waker };
  /** Clients that send alerts. */
  alerts: Pick<SendContext, 'mailer' | 'sender'>;
  producer: JobProducer;
  eventLoop: EventLoopWatch;
  credentials: Credentials;
  access: CarrierAccesses;
  pressure: CadencePressure;
  planner: SweepPlanner;
  /** Null: `POSITIONS_URL` is not set. */
  positions: PositionSource | null;
  /** True when fetched proofs of delivery are stored. */
  keepsProofs: boolean;
  /** Watches whether refreshes complete. */
  refreshes: RefreshWatch;
  /** As `createQueueFaultFinder`. */
  findQueueFault: () => Promise<string | null>;
  /** Workers that are known to run. */
  workers: () => number;
  /** Sets the number of workers that share the budgets. */
  onWorkers: (running: number) => void;
};

/** Opens what the worker needs and registers its closing. Throws if the database can't be used. */
export async function openWorkerContext(env: Env, life: Pick<Life, 'onDispose'>, log: Logger): Promise<WorkerContext> {
  const databaseUrl = requireDatabaseUrl(env);
  const secretKeys = await openSecretKeys(credentialKeys(env, (path) => readFileSync(path, 'utf8')));
  const pools = workerPools(env);
  const store = await openStore({
    databaseUrl,
    apiPoolSize: pools.app,
    systemPoolSize: pools.system,
    authPoolSize: pools.auth,
    applicationName: 'landfall-worker',
    onPoolError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  life.onDispose(store.close, 'the store');
  const traceStore = openTraceStore({
    databaseUrl,
    onError: (error) => log.debug({ err: error }, 'trace store connection error'),
  });
  life.onDispose(traceStore.close, 'the trace store');
  logOtlpState(log);
  const recording = attachTraceStore({
    share: env.TRACE_STORE_SHARE,
    slowMs: env.TRACE_STORE_SLOW_MS,
    write: (parts) => insertSpans(traceStore, parts),
    log,
  });
  const keepsTrace = (): boolean => {
    const traceId = currentTraceId();
    return traceId !== null && recording?.promise(traceId) === true;
  };
  life.onDispose(() => recording?.close(), 'the recording of traces');
  const queueSettings = {
    redisUrl: env.REDIS_URL,
    databaseUrl,
    prefix: queuePrefix,
    poolSize: pools.queue,
    telemetry: true,
    onError: (error: Error) => log.warn({ err: error }, 'queue error'),
  };
  await prepareQueue(queueSettings);
  const queue = openQueueBackend(queueSettings);
  life.onDispose(queue.close, 'the connections to the queue');
  const producer = openProducer(queue);
  life.onDispose(producer.close, 'the producer');
  const core = openCore({
    store,
    secretKeys,
    producer,
    settings: {
      cadenceScale: env.CADENCE_SCALE,
      settleAfterDays: env.SETTLE_AFTER_DAYS,
      retentionDays: env.RETENTION_DAYS,
      freeTimeNearDays: env.FREE_TIME_NEAR_DAYS,
      webhooksKeptDays: env.WEBHOOK_LOG_DAYS,
      publicBaseUrl: env.PUBLIC_BASE_URL ?? `http://${env.HOST}:${env.PORT}`,
    },
    journeyText: toJourneyText,
    keepsTrace,
    log,
  });
  const refreshes = createRefreshWatch((completedAgeS) => measureStall(core, completedAgeS));
  const eventLoop = watchEventLoop();
  life.onDispose(eventLoop.stop, 'the watch of the event loop');
  const carriers = await openCarriers(env, life, core);
  const pace = createSweepPace({
    queueCounts: producer.queueCounts,
    workers: carriers.workers,
    jobsPerWorker: env.WORKER_CONCURRENCY,
  });
  const sender = openConfiguredSender(env, { isMachineOnly: isMachineOnly(env) });
  life.onDispose(sender.close, 'the connections to webhook receivers');
  const feeds = openPreparedFeeds(core);
  const selections = openSelections(core);
  const waker = openWaker({ core, producer, feeds, selections });
  life.onDispose(waker.close, 'the waking of webhook endpoints');
  const webhooks: WorkerContext['webhooks'] = {
    core,
    queue,
    sender,
    feeds,
    selections,
    waker,
    concurrency: env.WEBHOOK_CONCURRENCY,
    random: Math.random,
  };
  const mailer = env.SMTP_URL === null ? null : openMailer({ smtpUrl: env.SMTP_URL, from: mailFrom(env) });
  if (mailer !== null) life.onDispose(async () => mailer.close(), 'the connections to the mail server');
  const keepsProofs = env.PROOF_STORE === 'on';
  return {
    core,
    queue,
    producer,
    eventLoop,
    pace,
    keepsProofs,
    refreshes,
    completed: refreshes.completed,
    findQueueFault: createQueueFaultFinder(producer, env.REDIS_URL),
    webhooks,
    alerts: { mailer, sender },
    ...carriers,
  };
}

/** The carriers' side: credentials, budgets, circuits and HTTP. */
async function openCarriers(env: Env, life: Pick<Life, 'onDispose'>, core: CoreContext) {
  const agent = openCarrierAgent();
  life.onDispose(() => agent.close(), 'the connections to the carriers');
  const credentials = await openCredentials({ core, env });
  life.onDispose(credentials.close, 'the credentials');
  let workers = 1;
  const buckets = openTokenBuckets({
    ...openTokens(env, life, core),
    workers: () => workers,
    onUnavailable: (error) =>
      core.log.warn({ err: error }, 'budget store unavailable; limiting this worker to its share of the budgets'),
  });
  const access = openCarrierAccess({
    credentials,
    buckets,
    agent,
    tokens: createTokenCache(core.now),
    now: core.now,
    readerIdentity: await readerIdentity(),
    onCircuit: ({ circuit, ...whose }) => {
      if (circuit === 'open')
        core.log.warn(whose, 'circuit opened: the carrier fails repeatedly; no calls until a probe succeeds');
      else core.log.info(whose, 'circuit closed: the carrier responds again');
    },
  });
  const pressure = createCadencePressure(access, (connector) =>
    isConnectorCode(connector) ? connectors[connector].batchSize : 1,
  );
  const planner = createSweepPlanner({
    access,
    batchSizeOf: (connector) =>
      isConnectorCode(connector) ? { connector, batchSize: connectors[connector].batchSize } : null,
    workers: () => workers,
  });
  return {
    positions: positionSourceOf(env, agent),
    connectors,
    credentials,
    access,
    accessFor: access.accessFor,
    pressure,
    pressureOf: pressure.of,
    batchers: openRefreshBatchers(core),
    refusals: openRefusalMemory(),
    concurrencyOf: openConcurrencies({ maxCalls: env.WORKER_CONCURRENCY }),
    planner,
    workers: () => workers,
    onWorkers: (running: number) => {
      workers = Math.max(1, running);
    },
  };
}

/** 500 positions take about 60 KB. */
const maxPositionsBytes = 1_048_576;

function positionSourceOf(env: Env, agent: ReturnType<typeof openCarrierAgent>): PositionSource | null {
  const { POSITIONS_URL: url, POSITIONS_TOKEN: token, POSITIONS_EVERY_S: everyS } = env;
  if (url === null) return null;
  const simulated = env.SIMULATOR_URL !== null && new URL(env.SIMULATOR_URL).origin === new URL(url).origin;
  const fetch = createCarrierFetch(agent, {
    settings: { baseUrl: url, authUrl: null },
    maxBodyBytes: maxPositionsBytes,
  });
  return { url, token, everyMs: everyS * 1000, simulated, fetch };
}

/** Time in milliseconds that a refresh may wait for the token store. */
const tokenTimeoutMs = { redis: 250, postgres: 500 };

function openTokens(
  env: Env,
  life: Pick<Life, 'onDispose'>,
  core: CoreContext,
): Pick<TokenBucketsOptions, 'takeTokens' | 'timeoutMs'> {
  if (env.REDIS_URL === null) return { takeTokens: openTokenTable(core.store), timeoutMs: tokenTimeoutMs.postgres };
  const onError = (error: Error) => core.log.info({ err: error }, 'Redis error in the token store');
  const redis = openRedis(env.REDIS_URL, { commandTimeoutMs: tokenTimeoutMs.redis, onError });
  life.onDispose(redis.close, 'the Redis of the budgets');
  return { takeTokens: redisTokens(redis.client, { prefix: 'landfall-budget' }), timeoutMs: tokenTimeoutMs.redis };
}
