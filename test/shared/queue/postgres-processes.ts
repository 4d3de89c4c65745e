import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { prepareQueue } from '#shared/queue/connection.ts';
import type { QueueSettings } from '#shared/queue/queue-settings.ts';
import { QueueWorker } from '#shared/queue/queue-worker.ts';
import { openSharedPostgres } from '#shared/queue/shared-postgres.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

type Pool = {
  connect: () => Promise<{ release: () => void }>;
  query: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;
  waitingCount: number;
};

/** The pool that queues and workers share. */
async function poolOf(queue: Pick<Queue, 'waitUntilReady'>): Promise<Pool> {
  await queue.waitUntilReady();
  return (queue as unknown as { backend: { connection: { pool: Pool } } }).backend.connection.pool;
}

/** Opens a queue and its worker on a database of their own, until the test ends. */
export async function openQueue({ throughProxy = false, poolSize = 3 } = {}) {
  const database = await ownDatabase();
  onTestFinished(() => database.drop());
  const proxy = throughProxy ? await openFaultProxy(database.serviceUrl) : null;
  if (proxy !== null) onTestFinished(() => proxy.close());
  const settings = {
    redisUrl: null,
    databaseUrl: proxy?.url ?? database.serviceUrl,
    prefix: 'landfall_queue',
    poolSize,
    telemetry: false,
    onError: () => undefined,
  };
  await prepareQueue({ ...settings, databaseUrl: database.serviceUrl });
  const name = `lost-${randomUUID()}`;
  const opened = await openProcess(settings, name);
  /** Another process with the same queue, on connections that are not cut. */
  const openOther = () => openProcess({ ...settings, databaseUrl: database.serviceUrl }, name);
  /** Process ids of the server that serve the pool. */
  const backends = async (): Promise<number[]> => {
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and application_name like 'landfall-queue%' order by pid",
      );
      return rows.map(({ pid }) => pid);
    } finally {
      await client.end();
    }
  };
  return { ...opened, backends, proxy, openOther };
}

async function openProcess(settings: QueueSettings, name: string) {
  const shared = openSharedPostgres(settings);
  onTestFinished(() => shared.close());
  const options = { connection: {}, prefix: settings.prefix, skipMetasUpdate: true };
  const queue = new Queue(name, options, shared.factory);
  const worker = new QueueWorker(
    name,
    null,
    { ...options, autorun: false, name: shared.instance, lockDuration: 60_000, stalledInterval: 1 },
    shared.factory,
  );
  queue.on('error', () => undefined);
  worker.on('error', () => undefined);
  onTestFinished(() => Promise.all([queue.close(), worker.close()]).then(() => undefined));
  await queue.waitUntilReady();
  return { queue, worker, pool: await poolOf(queue), instance: shared.instance };
}
