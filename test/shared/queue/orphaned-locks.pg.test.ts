import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openQueue } from './postgres-processes.ts';

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
  const { check, pass } = stalledChecks(worker);
  for (let time = 0; time < 2; time++) {
    expect(await check()).toEqual([]);
    pass(3000);
  }
  expect(await check()).toEqual(['of-a-dead-process']);
  pass(15_000);
  // BullMQ takes back what it marked in an earlier pass.
  expect([...(await check()), ...(await check())]).toEqual(['lost-with-a-connection']);
});

it('leaves a job to a process that was without connections during a check, and takes it back from one that died', async () => {
  const living = await openQueue({ throughProxy: true });
  const other = await living.openOther();
  await living.queue.add('work', {}, { jobId: 'held' });
  expect((await living.worker.getNextJob('owner', { block: false }))?.id).toBe('held');
  const isSeen = async () => {
    const { rows } = await other.pool.query('select from pg_stat_activity where application_name = $1', [
      `landfall-queue ${living.instance}`,
    ]);
    return rows.length > 0;
  };
  const { check, pass } = stalledChecks(other.worker);
  const lockOf = async () => (await other.pool.query("select locked_until_ms from job where id = 'held'")).rows;
  const lock = await lockOf();
  expect(await check()).toEqual([]);

  await living.proxy?.cut();
  await expect.poll(isSeen).toBe(false);
  expect(await check()).toEqual([]);
  pass(3000);
  await living.proxy?.restore();
  const answers = () =>
    living.pool.query('select 1').then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(true);
  for (let time = 0; time < 3; time++) {
    expect(await check()).toEqual([]);
    pass(3000);
  }
  expect(await lockOf()).toEqual(lock);

  await living.proxy?.cut();
  await expect.poll(isSeen).toBe(false);
  // The absence before counts no longer.
  for (let time = 0; time < 2; time++) {
    expect(await check()).toEqual([]);
    pass(3000);
  }
  // A gap between the checks shows nothing: this process may have been without the database.
  pass(6000);
  for (let time = 0; time < 2; time++) {
    expect(await check()).toEqual([]);
    pass(3000);
  }
  expect(await check()).toEqual(['held']);
});

it('knows its claims by their tokens', async () => {
  const { queue, worker, pool } = await openQueue();
  const { check, pass } = stalledChecks(worker);
  for (const id of ['claimed-again', 'finished-elsewhere']) await queue.add('work', {}, { jobId: id });
  for (const token of ['first', 'other']) await worker.getNextJob(token, { block: false });
  // The answer to the second claim was lost with its connection.
  await pool.query("update job set lock_token = 'second' where id = 'claimed-again'");
  pass(16_000);
  expect([...(await check()), ...(await check())]).toEqual(['claimed-again']);

  const held = await worker.getNextJob('third', { block: false });
  expect(held?.id).toBe('claimed-again');
  // The first claim ends late.
  await expect(held?.moveToCompleted(undefined, 'first')).rejects.toThrow('Lock mismatch');
  pass(16_000);
  expect([...(await check()), ...(await check())]).toEqual([]);
});

/** Checks for jobs that nobody works on, and lets time pass between the checks. */
function stalledChecks(worker: object) {
  const [real, date] = [performance.now.bind(performance), Date.now.bind(Date)];
  let [passedMs, lastMs] = [0, 0];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + passedMs);
  const now = vi.spyOn(Date, 'now').mockImplementation(() => {
    // BullMQ skips a pass in the millisecond of the one before.
    lastMs = Math.max(lastMs + 1, date() + passedMs);
    return lastMs;
  });
  onTestFinished(() => {
    clock.mockRestore();
    now.mockRestore();
  });
  const { backend } = worker as { backend: { moveStalledJobsToWait: () => Promise<string[]> } };
  const pass = (ms: number) => {
    passedMs += ms;
  };
  return { check: () => backend.moveStalledJobsToWait(), pass };
}
