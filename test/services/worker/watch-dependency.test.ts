import { expect, it } from 'vitest';
import { createDependencyWatch } from '#services/worker/jobs/watch-dependency.ts';

it('names a queue that has been unavailable for a while as the obstacle, until it responds again', async () => {
  let fault: string | null = null;
  let nowMs = 0;
  const watch = createDependencyWatch(
    'queue',
    async () => fault,
    () => nowMs,
  );
  await watch.check();
  expect(watch.obstacle()).toBeNull();
  fault = 'unavailable';
  await watch.check();
  nowMs = 4999;
  expect(watch.obstacle()).toBeNull();
  nowMs = 7000;
  await watch.check();
  expect(watch.obstacle()).toBe('the queue has been unavailable for 7 s');
  fault = null;
  await watch.check();
  expect(watch.obstacle()).toBeNull();
});

it('names the present fault of a database, and the time since the first one', async () => {
  let fault: string | null = 'unavailable';
  let nowMs = 0;
  const watch = createDependencyWatch(
    'database',
    async () => fault,
    () => nowMs,
  );
  await watch.check();
  fault = 'read-only';
  nowMs = 9000;
  await watch.check();
  expect(watch.obstacle()).toBe('the database has been read-only for 9 s');
});
