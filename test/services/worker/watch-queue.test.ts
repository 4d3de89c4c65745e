import { expect, it } from 'vitest';
import { createQueueWatch } from '#services/worker/jobs/watch-queue.ts';

it('names a queue that has been unavailable for a while as the obstacle, until it responds again', async () => {
  let isReached = true;
  let nowMs = 0;
  const watch = createQueueWatch(
    async () => isReached,
    () => nowMs,
  );
  await watch.check();
  expect(watch.obstacle()).toBeNull();
  isReached = false;
  await watch.check();
  nowMs = 4999;
  expect(watch.obstacle()).toBeNull();
  nowMs = 7000;
  await watch.check();
  expect(watch.obstacle()).toBe('the queue has been unavailable for 7 s');
  isReached = true;
  await watch.check();
  expect(watch.obstacle()).toBeNull();
});
