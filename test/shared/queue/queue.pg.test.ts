import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { prepareQueue } from '#shared/queue/connection.ts';
import { QueueWorker } from '#shared/queue/queue-worker.ts';
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
      return job?.moveToCompleted(undefined, 'another owner').then(
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

it('lets a lock begin when its statement has a connection', async () => {
  const { queue, worker, pool } = await openQueue({ poolSize: 1 });
  await queue.add('work', {});
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  onTestFinished(() => now.mockRestore());
  const only = await pool.connect();
  const taking = worker.getNextJob('owner', { block: false });
  await expect.poll(() => pool.waitingCount).toBe(1);
  now.mockReturnValue(1_005_000);
  only.release();
  await taking;
  const { rows } = await pool.query('select locked_until_ms::integer as until from job');
  expect(rows).toEqual([{ until: 1_065_000 }]);
});

it('is refused once for a job whose lock was lost, and takes the next one', async () => {
  const { queue, worker, pool } = await openQueue();
  const failing = vi.spyOn((worker as unknown as { backend: { moveToFailed: () => void } }).backend, 'moveToFailed');
  const [completed, errors] = [Promise.withResolvers<string | undefined>(), [] as string[]];
  worker.on('completed', ({ id }) => completed.resolve(id));
  worker.on('error', ({ message }) => errors.push(message));
  const loseLock = async ({ id }: { id: string }) => {
    if (id === 'lost') await pool.query("update job set lock_token = 'another worker' where id = 'lost'");
  };
  Object.assign(worker, { processFn: loseLock });
  await queue.add('work', {}, { jobId: 'lost' });
  await queue.add('work', {}, { jobId: 'next' });
  void worker.run();
  expect(await completed.promise).toBe('next');
  expect(errors).toEqual([expect.stringContaining('Lock mismatch for job lost')]);
  expect(failing).not.toHaveBeenCalled();
});

it('takes back jobs that no process works on long before their locks end', async () => {
  const { queue, worker, pool, instance } = await openQueue();
  await queue.add('work', {}, { jobId: 'held' });
  const held = await worker.getNextJob('owner', { block: false });
  expect(held?.id).toBe('held');
  const claimedAt = Date.now();
  for (const [id, owner] of [
    ['of-a-dead-process', randomUUID()],
    ['lost-with-a-connection', instance],
    ['of-an-unnamed-process', null],
  ] as const) {
    await queue.add('work', {}, { jobId: id });
    await pool.query(
      "update job set state = 'active', lock_token = 'x', locked_until_ms = $2, processed_by = $3, processed_at_ms = $4 where id = $1",
      [id, claimedAt + 3_600_000, owner, claimedAt],
    );
  }
  let ms = claimedAt;
  const now = vi.spyOn(Date, 'now').mockImplementation(() => ++ms);
  onTestFinished(() => now.mockRestore());
  const { backend } = worker as unknown as { backend: { moveStalledJobsToWait: () => Promise<string[]> } };
  // BullMQ marks what it takes back in one pass and takes it in the next.
  const takenBack = async () => [
    ...(await backend.moveStalledJobsToWait()),
    ...(await backend.moveStalledJobsToWait()),
  ];
  expect(await takenBack()).toEqual(['of-a-dead-process']);
  ms += 15_000;
  expect(await takenBack()).toEqual(['lost-with-a-connection']);
});

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

async function openQueue({ throughProxy = false, poolSize = 3 } = {}) {
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
  const shared = openSharedPostgres(settings);
  onTestFinished(() => shared.close());
  const options = { connection: {}, prefix: settings.prefix, skipMetasUpdate: true };
  const queue = new Queue(`lost-${randomUUID()}`, options, shared.factory);
  const worker = new QueueWorker(
    queue.name,
    null,
    { ...options, autorun: false, name: shared.instance, lockDuration: 60_000, stalledInterval: 1 },
    shared.factory,
  );
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
  return { queue, worker, backends, proxy, pool: await poolOf(queue), instance: shared.instance };
}
