import { expect, it } from 'vitest';
import { createRefreshWatch } from '#services/worker/jobs/watch-refreshes.ts';

it('names stopped refreshes as the obstacle until they complete again', async () => {
  let stalledS: number | null = 75.4;
  const watch = createRefreshWatch(
    async () => stalledS,
    () => 0,
  );
  expect(watch.obstacle()).toBeNull();
  await watch.check();
  expect(watch.obstacle()).toBe('due, but nothing completes: no refresh for 75 s');
  stalledS = null;
  await watch.check();
  expect(watch.obstacle()).toBeNull();
});

it('counts the time since the last recorded refresh, or the start', async () => {
  let nowMs = 1000;
  const given: number[] = [];
  const watch = createRefreshWatch(
    async (completedAgeS) => {
      given.push(completedAgeS);
      return null;
    },
    () => nowMs,
  );
  nowMs = 31_000;
  expect(watch.completedAgeS()).toBe(30);
  await watch.check();
  expect(given).toEqual([30]);
  watch.completed();
  nowMs = 33_000;
  expect(watch.completedAgeS()).toBe(2);
});
