import { type Env, requireDatabaseUrl } from '#shared/config/env.ts';
import { type CoreContext, coreDefaults } from '#shared/core/core-context.ts';
import { connectorCodes, connectorFor } from '#shared/domain/carrier-catalogue.ts';
import { queuePrefix } from '#shared/queue/connection.ts';
import { openProducer } from '#shared/queue/producer.ts';
import { openStore, type Store } from '#shared/store/open-store.ts';
import { isDatabaseUnavailable } from '#shared/store/store-errors.ts';
import { currentTraceparent } from '#shared/telemetry/events.ts';
import { createLogger, type Logger } from '#shared/telemetry/logger.ts';

export type ApiSettings = {
  /** Host names (without port) that the MCP endpoint answers to; null accepts any. */
  allowedHosts: readonly string[] | null;
  /** Browser origins that may call the MCP endpoint, besides those of this machine. */
  allowedOrigins: readonly string[];
};

/** What the API holds while it runs. */
export type ApiContext = {
  core: CoreContext;
  settings: ApiSettings;
  logger: Logger;
  /** Null when requests can be served, else why not. */
  findObstacle: () => Promise<string | null>;
  close: () => Promise<void>;
};

export type ContextOptions = { signal?: AbortSignal; logger?: Logger };

const systemPoolSize = 3;
const databaseRetryMs = 500;
const readyDeadlineMs = 1000;
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Opens what the API needs. Waits for a database that is away or not migrated yet; throws when the accounts are not separated in it. A queue
 * that is away is no obstacle: registrations are then found by the sweep.
 */
export async function openApiContext(env: Env, options: ContextOptions = {}): Promise<ApiContext> {
  const logger = options.logger ?? createLogger({ name: 'api', level: env.LOG_LEVEL, format: env.LOG_FORMAT });
  const databaseUrl = requireDatabaseUrl(env);
  const store = await openStoreWhenReady(env, { logger, signal: options.signal ?? null });
  const producer = openProducer({
    redisUrl: env.REDIS_URL,
    databaseUrl,
    prefix: queuePrefix,
    telemetry: true,
    onError: (error) => logger.debug({ err: error }, 'the queue is away'),
  });
  // Connecting takes longer than a registration waits for the queue; so the first one does not pay for it.
  for (const connector of connectorCodes) producer.queueCounts(connector).catch(() => undefined);
  const core: CoreContext = {
    store,
    producer,
    now: () => new Date(),
    settings: { ...coreDefaults, cadenceScale: env.CADENCE_SCALE, publicBaseUrl: env.PUBLIC_BASE_URL ?? `http://${env.HOST}:${env.PORT}` },
    connectorFor,
    traceparent: currentTraceparent,
    log: {
      info: (fields, message) => logger.info(fields, message),
      warn: (fields, message) => logger.warn(fields, message),
      error: (fields, message) => logger.error(fields, message),
    },
  };
  return {
    core,
    settings: apiSettings(env),
    logger,
    findObstacle: () => findObstacle(store),
    close: async () => {
      await producer.close();
      await store.close();
    },
  };
}

async function openStoreWhenReady(env: Env, waiting: { logger: Logger; signal: AbortSignal | null }): Promise<Store> {
  const { logger, signal } = waiting;
  for (let attempt = 1; ; attempt++) {
    try {
      return await openStore({
        databaseUrl: requireDatabaseUrl(env),
        apiPoolSize: Math.max(1, env.DB_POOL_SIZE - systemPoolSize),
        systemPoolSize,
        applicationName: 'landfall-api',
        onPoolError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
      });
    } catch (error) {
      if (signal?.aborted || !isWorthWaiting(error)) throw error;
      if (attempt === 1) logger.warn({ err: error }, 'waiting for the database');
      await pause(databaseRetryMs, signal);
    }
  }
}

/** Ends early when the signal aborts. */
async function pause(delayMs: number, signal: AbortSignal | null): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, delayMs);
  signal?.addEventListener('abort', end, { once: true });
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
}

function isWorthWaiting(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof Error && error.message.includes('run the migrations first'));
}

async function findObstacle(store: Store): Promise<string | null> {
  const { promise: expired, resolve: expire } = Promise.withResolvers<string>();
  const timer = setTimeout(() => expire('the database is slow'), readyDeadlineMs);
  const asked = store.app.query('select 1').then(
    () => null,
    () => 'the database is away',
  );
  return Promise.race([asked, expired]).finally(() => clearTimeout(timer));
}

function apiSettings(env: Env): ApiSettings {
  const publicUrl = env.PUBLIC_BASE_URL === null ? null : new URL(env.PUBLIC_BASE_URL);
  const isOpenToNetwork = ['0.0.0.0', '::', ''].includes(env.HOST);
  const own = [...loopbackHosts, env.HOST, ...(publicUrl === null ? [] : [publicUrl.hostname])];
  return {
    allowedHosts:
      isOpenToNetwork && env.ALLOWED_HOSTS.length === 0 ? null : [...own, ...env.ALLOWED_HOSTS].map((host) => host.toLowerCase()),
    allowedOrigins: [...env.ALLOWED_ORIGINS, ...(publicUrl === null ? [] : [publicUrl.origin])],
  };
}
