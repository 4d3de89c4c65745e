import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settlesWithin } from '#shared/async/deadline.ts';
import { credentialKeys, type Env, isMachineOnly, requireDatabaseUrl } from '#shared/config/env.ts';
import { apiPools } from '#shared/config/pool-sizes.ts';
import { toJourneyText } from '#shared/contract/record/shipment-wire.ts';
import { toTestBody, toWebhookBody } from '#shared/contract/webhooks/webhook-body.ts';
import { openCore } from '#shared/core/open-core.ts';
import type { RegistrationContext } from '#shared/core/registration/registration-batcher.ts';
import { sha256Hex } from '#shared/core/secrets/new-secret.ts';
import { openSecretKeys } from '#shared/core/secrets/seal-secret.ts';
import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import { failedSignInsPerMinute } from '#shared/domain/keys/limits.ts';
import type { BlockLimiter } from '#shared/limits/block-limiter.ts';
import { openConfiguredSender } from '#shared/net/configured-sender.ts';
import { openQueueBackend, queuePrefix } from '#shared/queue/connection.ts';
import { type JobProducer, openProducer } from '#shared/queue/producer.ts';
import { sawFullDisk } from '#shared/store/full-pools.ts';
import { isReadOnly } from '#shared/store/is-read-only.ts';
import type { Store } from '#shared/store/open-store.ts';
import { openTraceStore } from '#shared/store/open-trace-store.ts';
import { openRecordReader, type RecordReader } from '#shared/store/shipments/record-reader.ts';
import { isStorageFull } from '#shared/store/storage-space.ts';
import { insertSpans } from '#shared/store/system/insert-spans.ts';
import { createLogger, type Logger } from '#shared/telemetry/logger.ts';
import { attachTraceStore, logOtlpState } from '#shared/telemetry/sdk.ts';
import { type EventLoopWatch, watchEventLoop } from '#shared/telemetry/watch-event-loop.ts';
import { type ApiSettings, apiSettings, readVersion } from './api-settings.ts';
import { type Auth, openAuth } from './auth/open-auth.ts';
import type { Oauth } from './auth/open-oauth.ts';
import { type KeptMaps, keepMaps } from './dashboard/kept-maps.ts';
import { type KeptStall, keepStall } from './dashboard/kept-stall.ts';
import { type AppsOptions, openApps } from './open-apps.ts';
import { openLimiter, openLimitsRedis } from './open-limiter.ts';
import { type MemoryBudget, openMemoryBudget } from './open-memory-budget.ts';
import type { Permits } from './open-permits.ts';
import { openProofPermits } from './open-proof-permits.ts';
import { openStoreWhenReady } from './open-store-when-ready.ts';
import { openStreams, type Streams } from './open-streams.ts';
import { openParsing, type Parsing } from './parsing/open-parsing.ts';

export type Obstacle = { code: 'unavailable' | 'storage_full'; text: string };

/** The resources of a running API. */
export type ApiContext = {
  core: RegistrationContext;
  /** Sign-in to the dashboard. */
  auth: Auth;
  /** Connects apps to the MCP endpoint. Null: `MCP_OAUTH` is off. */
  oauth: Oauth | null;
  settings: ApiSettings;
  logger: Logger;
  /** Reads single records. */
  records: RecordReader;
  /** The dashboard's maps. */
  maps: KeptMaps;
  /** Measures for how long refreshes have stopped, for every page of the dashboard. */
  stall: KeptStall;
  /** Counts requests and failed sign-ins together with the other processes. */
  limiter: BlockLimiter;
  /** Counts jobs by state, for operators. */
  producer: JobProducer;
  eventLoop: EventLoopWatch;
  /** The open live streams. */
  streams: Streams;
  /** Proofs of delivery that are being fetched and sent. */
  proofPermits: Permits;
  /** Of what files, documents and pictures hold while they are read, drawn or sent. */
  memory: MemoryBudget;
  /** Reads files of strangers, and draws. */
  parsing: Parsing;
  /** Aborts when the process should stop. It serves requests for a while longer. */
  stopping: AbortSignal;
  /** Returns the reason why requests can't be served, or null. */
  findObstacle: () => Promise<Obstacle | null>;
  close: () => Promise<void>;
};

export type ContextOptions = Pick<AppsOptions, 'resolveName' | 'fetchDocument'> & {
  signal?: AbortSignal;
  logger?: Logger;
  /** Seconds of a rate limit window. Default: 60; only tests set it. */
  limitWindowS?: number;
  /** Milliseconds that a request waits for the count store. Only tests set it, for busy machines. */
  limitTimeoutMs?: number;
  failedSignInsPerMinute?: number;
  toolDeadlineMs?: number;
  answerWaitMs?: number;
  webAppFolder?: string;
};

const readyDeadlineMs = 1000;
/** Enough for a wait for a connection and one slow statement. MCP clients time out after 30 to 60 s. */
const toolDeadlineMs = 10_000;

/**
 * Opens the resources of the API. Waits for a database that is unavailable or not migrated yet, and throws if row-level
 * security doesn't separate the accounts, or if the keys can't decrypt the secret that signs session cookies. An
 * unavailable queue is no obstacle: the sweep finds new registrations.
 */
export async function openApiContext(env: Env, options: ContextOptions = {}): Promise<ApiContext> {
  const logger = options.logger ?? createLogger({ name: 'api', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  const databaseUrl = requireDatabaseUrl(env);
  const secretKeys = await openSecretKeys(credentialKeys(env, (path) => readFileSync(path, 'utf8')));
  // Connects while the database does, so that the first requests are counted.
  const redis = openLimitsRedis(env, logger, options.limitTimeoutMs ?? null);
  const opening = openStoreWhenReady(env, { logger, secretKeys, signal: options.signal ?? null });
  const { store, signingSecret } = await opening.catch(async (error: unknown) => {
    await redis?.close();
    throw error;
  });
  const traces = openTraces(env, logger);
  const queue = openQueueBackend({
    redisUrl: env.REDIS_URL,
    databaseUrl,
    prefix: queuePrefix,
    poolSize: apiPools(env).queue,
    telemetry: true,
    onError: (error) => logger.debug({ err: error }, 'queue unavailable'),
  });
  const producer = openProducer(queue);
  // Connecting takes longer than a registration waits for the queue, so it happens before the first one.
  for (const connector of refreshQueues) producer.queueCounts(connector).catch(() => undefined);
  const sender = openConfiguredSender(env, { isMachineOnly: isMachineOnly(env), resolve: options.resolveName });
  const webhooks = { ...sender, bodyOf: toWebhookBody, testBodyOf: toTestBody };
  const core = openCore({
    store,
    secretKeys,
    producer,
    settings: {
      cadenceScale: env.CADENCE_SCALE,
      settleAfterDays: env.SETTLE_AFTER_DAYS,
      retentionDays: env.RETENTION_DAYS,
      freeTimeNearDays: env.FREE_TIME_NEAR_DAYS,
      publicBaseUrl: env.PUBLIC_BASE_URL ?? `http://${env.HOST}:${env.PORT}`,
      sharedPages: env.SHARED_PAGES === 'on',
    },
    journeyText: toJourneyText,
    webhooks,
    log: logger,
  });
  const records = openRecordReader({
    databaseUrl,
    applicationName: 'landfall-api',
    apart: AsyncLocalStorage.snapshot(),
    onError: (error) => logger.warn({ err: error }, 'record reader connection lost'),
  });
  const signIn = { logger, signingSecret, hashOf: sha256Hex };
  const apps = openApps(env, core, { ...signIn, version: readVersion(), ...options });
  const eventLoop = watchEventLoop();
  const parsing = openParsing();
  const memory = openMemoryBudget();
  const stopping = options.signal ?? new AbortController().signal;
  const streams = openStreams(core, {
    databaseUrl,
    limits: { process: env.MAX_STREAMS, account: env.MAX_STREAMS_PER_ACCOUNT, holder: env.MAX_STREAMS_PER_KEY },
    stopping,
  });
  return {
    core,
    eventLoop,
    streams,
    proofPermits: openProofPermits(memory),
    memory,
    parsing,
    auth: openAuth(store, { publicBaseUrl: core.settings.publicBaseUrl, ...signIn }),
    oauth: apps?.oauth ?? null,
    settings: {
      ...apiSettings(env),
      webAppFolder: options.webAppFolder ?? fileURLToPath(new URL('../dashboard/dist', import.meta.url)),
      failedSignInsPerMinute: options.failedSignInsPerMinute ?? failedSignInsPerMinute,
      toolDeadlineMs: options.toolDeadlineMs ?? toolDeadlineMs,
      answerWaitMs: options.answerWaitMs ?? null,
    },
    logger,
    records,
    maps: keepMaps(core),
    stall: keepStall(core),
    producer,
    limiter: openLimiter({
      redis,
      store,
      logger,
      windowS: options.limitWindowS ?? 60,
      timeoutMs: options.limitTimeoutMs ?? null,
    }),
    stopping,
    findObstacle: () => findObstacle(store),
    close: async () => {
      eventLoop.stop();
      await streams.close();
      await parsing.close();
      await core.registrations.settled();
      await webhooks.close();
      await apps?.close();
      await producer.close();
      await queue.close();
      await redis?.close();
      await records.close();
      await traces.close();
      await store.close();
    },
  };
}

function openTraces(env: Env, log: Logger): { close: () => Promise<void> } {
  const store = openTraceStore({
    databaseUrl: requireDatabaseUrl(env),
    onError: (error) => log.debug({ err: error }, 'trace store error'),
  });
  logOtlpState(log);
  const recording = attachTraceStore({
    share: env.TRACE_STORE_SHARE,
    slowMs: env.TRACE_STORE_SLOW_MS,
    write: (parts) => insertSpans(store, parts),
    log,
  });
  return {
    close: async () => {
      await recording?.close();
      await store.close();
    },
  };
}

async function findObstacle(store: Store): Promise<Obstacle | null> {
  const checked = checkDatabase(store).catch((): Obstacle => ({ code: 'unavailable', text: 'database unavailable' }));
  return (await settlesWithin(checked, readyDeadlineMs)) ? checked : { code: 'unavailable', text: 'database slow' };
}

/** After a write that found the disk full, checks whether it still is. */
async function checkDatabase(store: Store): Promise<Obstacle | null> {
  // Without an idle connection, lists would delay the check.
  const isRefused = (await isReadOnly(store.app)) || (store.reads.idleCount > 0 && (await isReadOnly(store.reads)));
  if (isRefused) return { code: 'unavailable', text: 'database read-only' };
  return sawFullDisk(store) && (await isStorageFull(store)) ? { code: 'storage_full', text: 'storage full' } : null;
}
