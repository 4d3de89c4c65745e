import { expect, it } from 'vitest';
import { keepStall } from '#services/api/dashboard/kept-stall.ts';

it('measures once in ten seconds, and keeps the last result while a measurement fails', async () => {
  const results = [75, new Error('unavailable'), null];
  let measured = 0;
  let nowMs = 0;
  const stall = keepStall({} as never, {
    measure: async () => {
      const result = results[measured];
      measured += 1;
      if (result instanceof Error) throw result;
      return result ?? null;
    },
    nowMs: () => nowMs,
  });
  expect(await Promise.all([stall(), stall()])).toEqual([75, 75]);
  nowMs = 9999;
  expect(await stall()).toBe(75);
  expect(measured).toBe(1);
  nowMs = 10_000;
  expect(await stall()).toBe(75);
  nowMs = 20_000;
  expect(await stall()).toBeNull();
  expect(measured).toBe(3);
});
