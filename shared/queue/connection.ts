import {
  type ConnectionOptions,
  createPostgresBackend,
  type JobsOptions,
  type Processor,
  Queue,
  type Telemetry,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { asLogin, databaseRoles } from '#shared/domain/operations/database-logins.ts';
import type { JobPayload } from './jobs.ts';
import { createRedisClient, isClusterUrl, type RedisClientOptions } from './open-redis.ts';

/** The namespace that all processes of an installation share. */
export const queuePrefix = 'landfall_queue';

export type QueueSettings = {
  /** Null: the queue is in Postgres. Several node addresses, separated by commas, mean a Redis Cluster. */
  redisUrl: string | null;
  databaseUrl: string;
  /**
   * Namespace: the prefix of Redis keys, or the Postgres schema the queue lives in. Letters, digits and underscores.
   */
  prefix: string;
  telemetry: boolean;
  /** Called for lost connections and failed jobs. The queue reconnects by itself. */
  onError(error: Error): void;
};

export type RefreshPayload = JobPayload<'refresh-shipment'>;

/** The part of BullMQ's queue that Landfall uses, on either backend. */
export type JobQueue = {
  add(name: string, payload: RefreshPayload, options: JobsOptions): Promise<unknown>;
  addBulk(jobs: { name: string; data: RefreshPayload; opts: JobsOptions }[]): Promise<unknown>;
  getJobCounts(...states: ('waiting' | 'active' | 'delayed' | 'failed')[]): Promise<Record<string, number>>;
  obliterate(options: { force: boolean }): Promise<void>;
  waitUntilReady(): Promise<unknown>;
  disconnect(): Promise<void>;
  close(): Promise<void>;
};

/** The part of BullMQ's worker that Landfall uses, on either backend. */
export type JobWorker = {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  disconnect(): Promise<void>;
};

type WorkerLimits = Omit<WorkerOptions, 'connection' | 'telemetry' | 'prefix'>;

const reconnectAfterMs = (attempt: number) => Math.min(50 * 2 ** attempt, 2000);

/**
 * The Postgres backend's connection. Each queue and worker needs a pool of its own: on a shared one they deadlock,
 * because each worker keeps a connection for LISTEN.
 */
function postgresConnection(settings: QueueSettings, poolSize: number) {
  return {
    connectionString: asLogin(settings.databaseUrl, 'queue'),
    options: `-c role=${databaseRoles.queue}`,
    schema: settings.prefix,
    max: poolSize,
    connectionTimeoutMillis: 1000,
    idleTimeoutMillis: 30_000,
    query_timeout: 10_000,
    keepAlive: true,
    application_name: 'landfall-queue',
  };
}

/** Rejects at once while Redis is unavailable: BullMQ's defaults keep a request waiting for more than 8 s. */
const redisProducerOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  connectTimeout: 1000,
  commandTimeout: 1000,
  retryStrategy: reconnectAfterMs,
} satisfies RedisClientOptions;

/** No command timeout: a worker's blocking read takes 5 s on an idle queue. A silent socket is dropped after 15 s. */
const redisWorkerOptions = {
  maxRetriesPerRequest: null,
  connectTimeout: 5000,
  socketTimeout: 15_000,
  retryStrategy: reconnectAfterMs,
} satisfies RedisClientOptions;

/**
 * Brings the Postgres backend's schema up to date, once per start. Any number of processes may call it at the same time
 * (an advisory lock serializes them), and a current schema costs a few milliseconds. Redis needs no preparation. Throws
 * if the database is unavailable.
 */
export async function prepareQueue(settings: QueueSettings): Promise<void> {
  if (settings.redisUrl !== null) return;
  const connection = { ...postgresConnection(settings, 1), query_timeout: 60_000, migrate: true };
  const queue = new Queue('migration', { connection, skipMetasUpdate: true }, createPostgresBackend);
  queue.on('error', settings.onError);
  try {
    await queue.waitUntilReady();
  } finally {
    await queue.close();
  }
}

/** Opens the producing side of one queue, which connects in the background. Its connection errors go to `onError`. */
export function openQueue(settings: QueueSettings, name: string, telemetry: Telemetry | null): JobQueue {
  const shared = { ...traced(telemetry), skipMetasUpdate: true };
  const redis =
    settings.redisUrl === null ? null : redisOf(settings, settings.redisUrl, { name, options: redisProducerOptions });
  const queue =
    redis === null
      ? new Queue(name, { ...shared, connection: postgresConnection(settings, 2) }, createPostgresBackend)
      : new Queue(redis.name, { ...shared, connection: redis.connection, prefix: settings.prefix });
  queue.on('error', settings.onError);
  return withClient(queue, redis?.client ?? null);
}

/** Opens the consuming side of one queue and starts it. Its connection errors and failed jobs go to `onError`. */
export function openWorker(
  settings: QueueSettings,
  queue: { name: string; limits: WorkerLimits; telemetry: Telemetry | null },
  processor: Processor<RefreshPayload, void, string>,
): JobWorker {
  const shared = { ...queue.limits, ...traced(queue.telemetry) };
  const redis =
    settings.redisUrl === null
      ? null
      : redisOf(settings, settings.redisUrl, { name: queue.name, options: redisWorkerOptions });
  const worker =
    redis === null
      ? new Worker(
          queue.name,
          processor,
          { ...shared, connection: postgresConnection(settings, 3) },
          createPostgresBackend,
        )
      : new Worker(redis.name, processor, { ...shared, connection: redis.connection, prefix: settings.prefix });
  worker.on('error', settings.onError);
  worker.on('failed', (_job: unknown, error: Error) => settings.onError(error));
  return withClient(worker, redis?.client ?? null);
}

type RedisQueue = {
  /**
   * The braces keep all keys of a queue on one node of a cluster; the queues of the connectors spread over all nodes.
   */
  name: string;
  connection: ConnectionOptions;
  /** BullMQ makes its own client of a single Redis. The client of a cluster must be closed here. */
  client: { disconnect: () => void } | null;
};

type RedisUse = { name: string; options: typeof redisProducerOptions | typeof redisWorkerOptions };

function redisOf(settings: QueueSettings, url: string, { name, options }: RedisUse): RedisQueue {
  if (!isClusterUrl(url)) return { name, connection: { url, ...options }, client: null };
  const client = createRedisClient(url, options);
  client.on('error', settings.onError);
  return { name: `{${name}}`, connection: client, client };
}

function withClient<Of extends JobWorker>(of: Of, client: RedisQueue['client']): Of {
  if (client === null) return of;
  const [close, disconnect] = [of.close.bind(of), of.disconnect.bind(of)];
  const end = () => client.disconnect();
  return Object.assign(of, { close: () => close().finally(end), disconnect: () => disconnect().finally(end) });
}

function traced(telemetry: Telemetry | null): { telemetry?: Telemetry } {
  return telemetry === null ? {} : { telemetry };
}
