import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keepLimit, priorityTokens, shareOf } from '#shared/limits/published-limit.ts';
import type { TakeTokens } from '#shared/limits/token-bucket.ts';
import { openTokenBuckets } from '#shared/limits/token-buckets.ts';

import { runs } from '#test/support/run-scale.ts';

/** Counts as the stores do, by a clock that the test advances. */
function openStoreAt(clock: { ms: number }): TakeTokens {
  const stored = new Map<string, { tokens: number; atMs: number; closedUntilMs: number }>();
  return async ({ key, limit, wanted, keep, forced, closeMs }) => {
    const bucket = stored.get(key) ?? { tokens: limit.capacity, atMs: clock.ms, closedUntilMs: 0 };
    let tokens = Math.min(limit.capacity, bucket.tokens + (clock.ms - bucket.atMs) * limit.perMs);
    const closedUntilMs = Math.max(bucket.closedUntilMs, closeMs > 0 ? clock.ms + closeMs : 0);
    const isOpen = closedUntilMs <= clock.ms;
    const granted = forced ? wanted : isOpen ? Math.max(0, Math.min(wanted, Math.floor(tokens - keep + 1e-9))) : 0;
    tokens = Math.min(limit.capacity, tokens - granted);
    stored.set(key, { tokens, atMs: clock.ms, closedUntilMs });
    return { granted, tokens, closedMs: Math.max(0, closedUntilMs - clock.ms) };
  };
}

function maxCallsIn(calls: readonly number[], windowMs: number): number {
  return Math.max(0, ...calls.map((start) => calls.filter((at) => at >= start && at < start + windowMs).length));
}

it('never exceeds the published calls in any window, for any limit, number of processes and timing', async () => {
  const limits = fc.record({
    calls: fc.integer({ min: 1, max: 60 }),
    perMs: fc.constantFrom(1000, 60_000, 3_600_000),
    burst: fc.integer({ min: 1, max: 80 }),
  });
  const steps = fc.array(
    fc.record({ process: fc.integer({ min: 0, max: 2 }), pause: fc.double({ min: 0, max: 0.4, noNaN: true }) }),
    {
      minLength: 20,
      maxLength: 150,
    },
  );
  await fc.assert(
    fc.asyncProperty(limits, steps, async (published, moments) => {
      const clock = { ms: 1_000_000 };
      const takeTokens = openStoreAt(clock);
      const buckets = [0, 1, 2].map(() =>
        openTokenBuckets({
          takeTokens,
          timeoutMs: 1000,
          workers: () => 3,
          onUnavailable: () => expect.fail('unavailable'),
          now: () => clock.ms,
        }).bucket('one', keepLimit(published)),
      );
      const calls: number[] = [];
      for (const { process, pause } of moments) {
        clock.ms += pause * (published.perMs / published.calls) * 3;
        const { granted } = (await buckets[process]?.reserve(3)) ?? { granted: 0 };
        for (let call = 0; call < granted; call++) calls.push(clock.ms);
      }
      expect(maxCallsIn(calls, published.perMs)).toBeLessThanOrEqual(published.calls);
    }),
    { numRuns: runs(60) },
  );
});

it('keeps each process to its share while the store is unavailable, reports once a minute and recovers', async () => {
  const clock = { ms: 0 };
  const store = openStoreAt(clock);
  const reports: unknown[] = [];
  let unavailable = true;
  const published = { calls: 30, perMs: 60_000, burst: 10 };
  const processes = [0, 1, 2].map(() =>
    openTokenBuckets({
      takeTokens: (take) => (unavailable ? Promise.reject(new Error('gone')) : store(take)),
      timeoutMs: 1000,
      workers: () => 3,
      onUnavailable: (error) => reports.push(error),
      now: () => clock.ms,
    }),
  );
  const calls: number[] = [];
  for (; clock.ms < 180_000; clock.ms += 250) {
    for (const buckets of processes) {
      const { granted, waitMs } = await buckets.bucket('one', keepLimit(published)).reserve(5);
      for (let call = 0; call < granted; call++) calls.push(clock.ms);
      if (granted === 0) expect(waitMs).toBeGreaterThan(0);
    }
  }
  expect(maxCallsIn(calls, published.perMs)).toBeLessThanOrEqual(published.calls);
  expect(calls.length).toBeGreaterThan(60);
  expect(reports.length).toBe(3 * 3);
  expect(processes[0]?.isUnavailable()).toBe(true);
  unavailable = false;
  clock.ms += 2000;
  expect((await processes[0]?.bucket('one', keepLimit(published)).reserve(1))?.granted).toBe(1);
  expect(processes[0]?.isUnavailable()).toBe(false);
});

it('keeps the average with more processes than calls', () => {
  const limit = keepLimit({ calls: 8, perMs: 60_000, burst: 8 });
  expect(shareOf(limit, 20).perMs * 20 * 60_000).toBeCloseTo(8);
  expect(priorityTokens(limit)).toBe(1);
});
