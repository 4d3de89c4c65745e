import { readFileSync } from 'node:fs';
import { credentialKeys, type Env, requireDatabaseUrl } from '#shared/config/env.ts';
import { toJourneyText } from '#shared/contract/shipments/shipment-wire.ts';
import { openSecretKeys } from '#shared/core/carriers/seal-secret.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { openCore } from '#shared/core/open-core.ts';
import { type ConnectorCode, testConnector } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { Life } from '#shared/lifecycle.ts';
import { redisTokens } from '#shared/limits/redis-tokens.ts';
import { openTokenBuckets, type TokenBucketsOptions } from '#shared/limits/token-buckets.ts';
import { prepareQueue, type QueueSettings, queuePrefix } from '#shared/queue/connection.ts';
import { openRedis } from '#shared/queue/open-redis.ts';
import { openProducer, type RefreshProducer } from '#shared/queue/producer.ts';
import { openStore } from '#shared/store/open-store.ts';
import { openTraceStore } from '#shared/store/open-trace-store.ts';
import { insertSpans } from '#shared/store/system/insert-spans.ts';
import { openTokenTable } from '#shared/store/system/token-buckets.ts';
import type { Logger } from '#shared/telemetry/logger.ts';
import { attachTraceStore, logOtlpState } from '#shared/telemetry/sdk.ts';
import { openCarrierAgent } from './carriers/http.ts';
import { connectors, isConnectorCode } from './carriers/registry.ts';
import { createTokenCache } from './carriers/token-cache.ts';
import { type CarrierAccesses, openCarrierAccess } from './credentials/carrier-access.ts';
import { type Credentials, openCredentials } from './credentials/credentials.ts';
import { type BudgetPressure, createBudgetPressure } from './pacing/budget-pressure.ts';
import { createSweepPlanner, type SweepPlanner } from './pacing/plan-sweep.ts';
import { openRefreshConcurrency, type RefreshConcurrency } from './pacing/refresh-concurrency.ts';
import { createSweepPace, type SweepPace } from './pacing/sweep-pace.ts';
import { readerIdentity } from './refresh/reader-identity.ts';
import { openRefreshFlow } from './refresh/refresh-flow.ts';
import type { RefreshContext } from './refresh/refresh-shipment.ts';

/** Everything the worker holds. */
export type WorkerContext = RefreshContext & {
  queue: QueueSettings;
  producer: RefreshProducer;
  credentials: Credentials;
  access: CarrierAccesses;
  pressure: BudgetPressure;
  planner: SweepPlanner;
  pace: SweepPace;
  /** Asks the queue something; false when it does not answer. */
  reachesQueue: () => Promise<boolean>;
  /** Workers that live, as far as is known. */
  workers: () => number;
  /** Told how many workers share the budgets. */
  onWorkers: (alive: number) => void;
};

/** Opens what the worker needs and registers its closing. Throws when the database cannot be used. */
export async function openWorkerContext(env: Env, life: Pick<Life, 'onDispose'>, log: Logger): Promise<WorkerContext> {
  const databaseUrl = requireDatabaseUrl(env);
  const secretKeys = await openSecretKeys(credentialKeys(env, (path) => readFileSync(path, 'utf8')));
  const store = await openStore({
    databaseUrl,
    apiPoolSize: env.DB_POOL_SIZE,
    systemPoolSize: Math.max(2, Math.ceil(env.DB_POOL_SIZE / 2)),
    applicationName: 'landfall-worker',
    onPoolError: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
  life.onDispose(store.close, 'the store');
  const traceStore = openTraceStore({ databaseUrl, onError: (error) => log.debug({ err: error }, 'the trace store') });
  life.onDispose(traceStore.close, 'the trace store');
  logOtlpState(log);
  const recording = attachTraceStore({
    share: env.TRACE_STORE_SHARE,
    slowMs: env.TRACE_STORE_SLOW_MS,
    write: (parts) => insertSpans(traceStore, parts),
    log,
  });
  life.onDispose(() => recording?.close(), 'the recording of traces');
  const queue: QueueSettings = {
    redisUrl: env.REDIS_URL,
    databaseUrl,
    prefix: queuePrefix,
    telemetry: true,
    onError: (error) => log.warn({ err: error }, 'the queue reports an error'),
  };
  await prepareQueue(queue);
  const producer = openProducer(queue);
  life.onDispose(producer.close, 'the producer');
  const core = openCore({
    store,
    secretKeys,
    producer,
    settings: {
      cadenceScale: env.CADENCE_SCALE,
      publicBaseUrl: env.PUBLIC_BASE_URL ?? `http://${env.HOST}:${env.PORT}`,
    },
    journeyText: toJourneyText,
    log,
  });
  const carriers = await openCarriers(env, life, core);
  const pace = createSweepPace({
    standing: producer.queueCounts,
    workers: carriers.workers,
    places: env.WORKER_CONCURRENCY,
  });
  const reachesQueue = () =>
    producer.queueCounts(testConnector).then(
      () => true,
      () => false,
    );
  return { core, queue, producer, pace, reachesQueue, ...carriers };
}

/** The carriers' side: credentials, budgets, circuits and HTTP. */
async function openCarriers(
  env: Env,
  life: Pick<Life, 'onDispose'>,
  core: CoreContext,
): Promise<Omit<WorkerContext, 'core' | 'queue' | 'producer' | 'pace' | 'reachesQueue'>> {
  const agent = openCarrierAgent();
  life.onDispose(() => agent.close(), 'the connections to the carriers');
  const credentials = await openCredentials({ core, env });
  life.onDispose(credentials.close, 'the credentials');
  let workers = 1;
  const buckets = openTokenBuckets({
    ...openTokens(env, life, core),
    workers: () => workers,
    onUnavailable: (error) =>
      core.log.warn({ err: error }, 'budget store unavailable; this worker keeps to its share of the budgets'),
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
        core.log.warn(whose, 'a carrier fails again and again: it is not asked until a probe succeeds');
      else core.log.info(whose, 'a carrier answers again');
    },
  });
  const pressure = createBudgetPressure(access, (connector) =>
    isConnectorCode(connector) ? connectors[connector].batchSize : 1,
  );
  const planner = createSweepPlanner({
    access,
    batchSizeOf: (connector) =>
      isConnectorCode(connector) ? { connector, batchSize: connectors[connector].batchSize } : null,
    workers: () => workers,
  });
  return {
    connectors,
    credentials,
    access,
    accessFor: access.accessFor,
    pressure,
    pressureFor: pressure.of,
    flow: openRefreshFlow(core),
    lanesOf: openLanes(env.WORKER_CONCURRENCY),
    planner,
    workers: () => workers,
    onWorkers: (alive) => {
      workers = Math.max(1, alive);
    },
  };
}

/** One carrier that slows down takes no places from another. */
function openLanes(most: number): (connector: ConnectorCode) => RefreshConcurrency {
  const lanes = new Map<ConnectorCode, RefreshConcurrency>();
  return (connector) => {
    const known = lanes.get(connector) ?? openRefreshConcurrency({ most });
    lanes.set(connector, known);
    return known;
  };
}

/** How long a refresh may wait for the store of tokens, in milliseconds. */
const tokenTimeoutMs = { redis: 250, postgres: 500 };

function openTokens(
  env: Env,
  life: Pick<Life, 'onDispose'>,
  core: CoreContext,
): Pick<TokenBucketsOptions, 'takeTokens' | 'timeoutMs'> {
  if (env.REDIS_URL === null) return { takeTokens: openTokenTable(core.store), timeoutMs: tokenTimeoutMs.postgres };
  const onError = (error: Error) => core.log.info({ err: error }, 'the Redis of the budgets reports an error');
  const redis = openRedis(env.REDIS_URL, { commandTimeoutMs: tokenTimeoutMs.redis, onError });
  life.onDispose(redis.close, 'the Redis of the budgets');
  return { takeTokens: redisTokens(redis.client, { prefix: 'landfall-budget' }), timeoutMs: tokenTimeoutMs.redis };
}
