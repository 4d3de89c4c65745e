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
import type { JobPayload } from './jobs.ts';
import { createRedisClient, isClusterUrl, type RedisClientOptions } from './redis-client.ts';

/** The namespace that every process of an installation shares. */
export const queuePrefix = 'landfall_queue';

export type QueueSettings = {
  /** Null puts the queue into Postgres. Addresses of several nodes, separated by commas, are a Redis Cluster. */
  redisUrl: string | null;
  databaseUrl: string;
  /** Namespace: the prefix of Redis keys, or the Postgres schema the queue lives in. Letters, digits and underscores. */
  prefix: string;
  telemetry: boolean;
  /** Lost connections and failed jobs; the queue heals by itself. */
  onError(error: Error): void;
};

export type RefreshPayload = JobPayload<'refresh-shipment'>;

/** What we use of BullMQ's queue, whichever backend is below. */
export type JobQueue = {
  add(name: string, payload: RefreshPayload, options: JobsOptions): Promise<unknown>;
  addBulk(jobs: { name: string; data: RefreshPayload; opts: JobsOptions }[]): Promise<unknown>;
  getJobCounts(...states: ('waiting' | 'active' | 'delayed' | 'failed')[]): Promise<Record<string, number>>;
  obliterate(options: { force: boolean }): Promise<void>;
  waitUntilReady(): Promise<unknown>;
  disconnect(): Promise<void>;
  close(): Promise<void>;
};

/** What we use of BullMQ's worker, whichever backend is below. */
export type JobWorker = {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  disconnect(): Promise<void>;
};

type WorkerLimits = Omit<WorkerOptions, 'connection' | 'telemetry' | 'prefix'>;

const reconnectAfterMs = (attempt: number) => Math.min(50 * 2 ** attempt, 2000);

/** The Postgres backend's connection. One pool per queue and per worker: they deadlock on a shared one, as each worker keeps one to LISTEN. */
export function postgresConnection(settings: QueueSettings, poolSize: number) {
  return {
    connectionString: settings.databaseUrl,
    schema: settings.prefix,
    max: poolSize,
    connectionTimeoutMillis: 1000,
    idleTimeoutMillis: 30_000,
    query_timeout: 10_000,
    keepAlive: true,
    application_name: 'landfall-queue',
  };
}

/** Refuses at once while Redis is away: BullMQ's defaults keep a request waiting for more than 8 s. */
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

/** Opens the producing side of one queue. It is not connected yet, and its connection errors go to `onError`. */
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
  /** All keys of a queue must be on one node of a cluster, which braces see to: each connector's queue is on one, and they spread over all. */
  name: string;
  connection: ConnectionOptions;
  /** BullMQ makes its own client of one Redis; that of a cluster is ours to close. */
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
  const letGo = () => client.disconnect();
  return Object.assign(of, { close: () => close().finally(letGo), disconnect: () => disconnect().finally(letGo) });
}

function traced(telemetry: Telemetry | null): { telemetry?: Telemetry } {
  return telemetry === null ? {} : { telemetry };
}
