import { expect, it } from 'vitest';
import { watchQueue } from '#services/worker/jobs/watch-queue.ts';

it('a queue that is away is an obstacle after a while, with the reason, and none any more once it is back', async () => {
  let isThere = true;
  let nowMs = 0;
  const ending = new AbortController();
  let asked = Promise.withResolvers<void>();
  const watch = watchQueue({
    reaches: async () => {
      queueMicrotask(asked.resolve);
      return isThere;
    },
    signal: ending.signal,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    limits: { intervalMs: 1, tolerateMs: 5000 },
    nowMs: () => nowMs,
  });
  /** Twice, so that the first answer was taken in. */
  const askedAgain = async () => {
    for (let turn = 0; turn < 2; turn++) {
      asked = Promise.withResolvers();
      await asked.promise;
    }
  };
  await askedAgain();
  expect(watch.obstacle()).toBeNull();
  isThere = false;
  await askedAgain();
  nowMs = 4999;
  expect(watch.obstacle()).toBeNull();
  nowMs = 7000;
  await askedAgain();
  expect(watch.obstacle()).toBe('the queue has been away for 7 s');
  isThere = true;
  await askedAgain();
  expect(watch.obstacle()).toBeNull();
  ending.abort();
  await watch.ended;
});
