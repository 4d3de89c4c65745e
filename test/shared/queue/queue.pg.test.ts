import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { prepareQueue } from '#shared/queue/connection.ts';
import { openSharedPostgres } from '#shared/queue/shared-postgres.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { ownDatabase, testDatabase } from '#test/support/stores/postgres.ts';
import { describeQueue } from './queue-suite.ts';

describeQueue('Postgres', async () => {
  const database = await testDatabase();
  return { redisUrl: null, databaseUrl: database.serviceUrl, close: () => database.drop() };
});

it('keeps its connections while the database refuses ninety completions of lost jobs', async () => {
  const { worker, queue, backends } = await openQueue();
  await queue.addBulk(Array.from({ length: 90 }, (_, index) => ({ name: 'work', data: { index } })));
  const before = await backends();

  const refusals = await Promise.all(
    Array.from({ length: 90 }, async () => {
      const job = await worker.getNextJob('owner', { block: false });
      return job?.moveToCompleted('done', 'another owner').then(
        () => 'completed',
        (error: Error) => error.message,
      );
    }),
  );

  expect(refusals).toEqual(refusals.map(() => expect.stringContaining('Lock mismatch')));
  const after = await backends();
  expect(before.length).toBeGreaterThan(0);
  // Up to the limit of the pool, connections may be added; none may be replaced.
  expect(after).toEqual(expect.arrayContaining(before));
  expect(after.length).toBeLessThanOrEqual(3);
});

it('replaces a connection that was lost during a statement', async () => {
  const { queue, backends, proxy } = await openQueue({ throughProxy: true });
  await queue.add('work', {});
  const before = await backends();
  await proxy?.cut();
  await proxy?.restore();
  await expect
    .poll(() =>
      queue.add('work', {}).then(
        ({ id }) => id,
        () => null,
      ),
    )
    .not.toBeNull();
  const after = await backends();
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
});

async function openQueue({ throughProxy = false } = {}) {
  const database = await ownDatabase();
  onTestFinished(() => database.drop());
  const proxy = throughProxy ? await openFaultProxy(database.serviceUrl) : null;
  if (proxy !== null) onTestFinished(() => proxy.close());
  const settings = {
    redisUrl: null,
    databaseUrl: proxy?.url ?? database.serviceUrl,
    prefix: 'landfall_queue',
    poolSize: 3,
    telemetry: false,
    onError: () => undefined,
  };
  await prepareQueue({ ...settings, databaseUrl: database.serviceUrl });
  const shared = openSharedPostgres(settings);
  onTestFinished(() => shared.close());
  const options = { connection: {}, prefix: settings.prefix, skipMetasUpdate: true };
  const queue = new Queue(`lost-${randomUUID()}`, options, shared.factory);
  const worker = new Worker(queue.name, null, { ...options, autorun: false }, shared.factory);
  queue.on('error', () => undefined);
  worker.on('error', () => undefined);
  onTestFinished(() => Promise.all([queue.close(), worker.close()]).then(() => undefined));
  await queue.waitUntilReady();
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
  return { queue, worker, backends, proxy };
}
