import {
  type ConnectionOptions,
  type JobsOptions,
  type Processor,
  Queue,
  type Telemetry,
  type WorkerOptions,
} from 'bullmq';
import type { JobName, JobPayload } from './jobs.ts';
import { createRedisClient, isClusterUrl, type RedisClientOptions } from './open-redis.ts';
import type { QueueSettings } from './queue-settings.ts';
import { QueueWorker } from './queue-worker.ts';
import { openSharedPostgres, preparePostgres, type SharedPostgres } from './shared-postgres.ts';

/** The namespace that all processes of an installation share. */
export const queuePrefix = 'landfall_queue';

type Payload = JobPayload<JobName>;

/** The part of BullMQ's queue that Landfall uses, on either backend. */
export type JobQueue = {
  add(name: string, payload: Payload, options: JobsOptions): Promise<unknown>;
  addBulk(jobs: { name: string; data: Payload; opts: JobsOptions }[]): Promise<unknown>;
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
 * Time for which a job stays with a worker that doesn't renew its lock. A lock is renewed when half of its time is over.
 *
 * On PostgreSQL, a renewal takes up to 15 s on a busy machine: 5 s for a connection and 10 s for the statement. 40 s
 * outlast that, and are less than the lease of a minute. Jobs of a worker that died don't wait for it: its sessions
 * end with it, and after some 8 s without them other workers take its jobs back (`SharingBackend`).
 *
 * On Redis, no command waits for a connection, a lost lock costs one repeated refresh, and nothing shows that a worker
 * died. The lock is the time until its jobs are found.
 */
const lockMs = { postgres: 40_000, redis: 10_000 };

/** Backend that all queues and workers of one process share. */
export type QueueBackend = {
  telemetry: boolean;
  /** Time for which a job stays with a worker that doesn't renew its lock. */
  lockMs: number;
  onError(error: Error): void;
  /** Opens the producing side of one queue, which connects in the background. Its connection errors go to `onError`. */
  openQueue(name: string, telemetry: Telemetry | null): JobQueue;
  /** Opens the consuming side of one queue and starts it. Its connection errors and failed jobs go to `onError`. */
  openWorker(
    queue: { name: string; limits: WorkerLimits; telemetry: Telemetry | null },
    processor: Processor<Payload, void, string>,
  ): JobWorker;
  /** After all queues and workers. */
  close(): Promise<void>;
};

/**
 * Brings the Postgres backend's schema up to date, once per start. Any number of processes may call it at the same time
 * (an advisory lock serializes them), and a current schema costs a few milliseconds. Redis needs no preparation. Throws
 * if the database is unavailable.
 */
export async function prepareQueue(settings: Omit<QueueSettings, 'poolSize'>): Promise<void> {
  if (settings.redisUrl === null) await preparePostgres(settings);
}

/** Connects with the first queue or worker. */
export function openQueueBackend(settings: QueueSettings): QueueBackend {
  const { redisUrl, telemetry, onError } = settings;
  if (redisUrl !== null)
    return { telemetry, onError, lockMs: lockMs.redis, ...openOnRedis(settings, redisUrl), close: async () => {} };
  const postgres = openSharedPostgres(settings);
  return { telemetry, onError, lockMs: lockMs.postgres, ...openOnPostgres(settings, postgres), close: postgres.close };
}

type Openers = Pick<QueueBackend, 'openQueue' | 'openWorker'>;

function openOnPostgres(settings: QueueSettings, { factory, instance }: SharedPostgres): Openers {
  return {
    openQueue: (name, telemetry) => {
      const options = { ...traced(telemetry), skipMetasUpdate: true, connection: {} };
      const queue = new Queue(name, options, factory);
      queue.on('error', settings.onError);
      return queue;
    },
    openWorker: ({ name, limits, telemetry }, processor) => {
      const options = { ...limits, ...traced(telemetry), connection: {}, name: instance };
      const worker = new QueueWorker(name, processor, options, factory);
      worker.on('error', settings.onError);
      worker.on('failed', (_job: unknown, error: Error) => settings.onError(error));
      return worker;
    },
  };
}

function openOnRedis(settings: QueueSettings, redisUrl: string): Openers {
  const { prefix } = settings;
  return {
    openQueue: (name, telemetry) => {
      const redis = redisOf(settings, redisUrl, { name, options: redisProducerOptions });
      const options = { ...traced(telemetry), skipMetasUpdate: true, connection: redis.connection, prefix };
      const queue = new Queue(redis.name, options);
      queue.on('error', settings.onError);
      return withClient(queue, redis.client);
    },
    openWorker: ({ name, limits, telemetry }, processor) => {
      const redis = redisOf(settings, redisUrl, { name, options: redisWorkerOptions });
      const options = { ...limits, ...traced(telemetry), connection: redis.connection, prefix };
      const worker = new QueueWorker(redis.name, processor, options);
      worker.on('error', settings.onError);
      worker.on('failed', (_job: unknown, error: Error) => settings.onError(error));
      return withClient(worker, redis.client);
    },
  };
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
