import { expect, it, onTestFinished, vi } from 'vitest';
import { testDatabase } from '#test/support/stores/postgres.ts';
import { openQueue } from './postgres-processes.ts';
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
