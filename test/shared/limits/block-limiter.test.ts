import fc from 'fast-check';
import { expect, it } from 'vitest';

import { type BlockLimiter, type CountStore, openBlockLimiter } from '#shared/limits/block-limiter.ts';

import { runs } from '#test/support/run-scale.ts';

const windowS = 60;

/** Counts as Redis and Postgres do, by a clock of its own, after as many turns of the event loop as the test wants. */
function openCounts(clock: { ms: number }, turns: () => number) {
  const windows = new Map<string, { points: number; endsAtMs: number }>();
  let takes = 0;
  const takePoints: CountStore['takePoints'] = async (key, points) => {
    takes += 1;
    for (let turn = turns(); turn > 0; turn--) await Promise.resolve();
    let window = windows.get(key);
    if (window === undefined || window.endsAtMs <= clock.ms) {
      window = { points: 0, endsAtMs: clock.ms + windowS * 1000 };
      windows.set(key, window);
    }
    window.points += points;
    return { consumed: window.points, msLeft: window.endsAtMs - clock.ms };
  };
  const readCounts: CountStore['readCounts'] = async (keys) =>
    keys.map((key) => {
      const window = windows.get(key);
      return window === undefined || window.endsAtMs <= clock.ms
        ? null
        : { consumed: window.points, msLeft: window.endsAtMs - clock.ms };
    });
  return { takePoints, readCounts, takes: () => takes, windowOf: (key: string) => windows.get(key) };
}

function openLimiter({ takePoints, readCounts }: CountStore, clock: { ms: number }): BlockLimiter {
  return openBlockLimiter({
    takePoints,
    readCounts,
    windowS,
    timeoutMs: 1000,
    onUnavailable: () => undefined,
    now: () => clock.ms,
  });
}

it('admits exactly the quota of a window in one process, and all of it again in the next window', async () => {
  for (const quota of [1, 2, 7, 20, 120, 6000]) {
    const clock = { ms: 0 };
    const counts = openCounts(clock, () => 0);
    const limiter = openLimiter(counts, clock);
    for (let round = 0; round < 2; round++) {
      for (let sent = 1; sent <= quota; sent++) {
        const standing = await limiter.admit('a', quota);
        expect(standing).toEqual({ admitted: true, quota, remaining: quota - sent, resetS: windowS });
      }
      const takesBefore = counts.takes();
      const refused = await limiter.admit('a', quota);
      expect(refused).toEqual({ admitted: false, quota, remaining: 0, resetS: windowS });
      // A refused request costs the store nothing.
      expect(counts.takes()).toBe(takesBefore);
      clock.ms += windowS * 1000;
    }
  }
});

it('takes points from the store for few of many requests, and admits the rest without waiting', async () => {
  const clock = { ms: 0 };
  const counts = openCounts(clock, () => 0);
  const limiter = openLimiter(counts, clock);
  let waited = 0;
  for (let sent = 0; sent < 6000; sent++) {
    const standing = limiter.admit('a', 6000);
    if (standing instanceof Promise) waited += 1;
    await standing;
  }
  expect(counts.takes()).toBeLessThan(50);
  expect(waited).toBe(counts.takes());
});

it('never admits more than the quota of a window in all processes together, in any order', async () => {
  const step = fc.record({ process: fc.nat(3), requests: fc.integer({ min: 1, max: 40 }), afterMs: fc.nat(9000) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 400 }),
      fc.array(step, { maxLength: 60 }),
      fc.infiniteStream(fc.nat(5)),
      async (quota, steps, turns) => {
        const clock = { ms: 0 };
        const counts = openCounts(clock, () => turns.next().value ?? 0);
        const limiters = Array.from({ length: 4 }, () => openLimiter(counts, clock));
        const admittedByWindow = new Map<number, number>();
        for (const { process, requests, afterMs } of steps) {
          clock.ms += afterMs;
          const standings = await Promise.all(
            Array.from({ length: requests }, () => limiters[process]?.admit('a', quota)),
          );
          const window = counts.windowOf('a')?.endsAtMs ?? 0;
          const admitted = standings.filter((standing) => standing?.admitted).length;
          admittedByWindow.set(window, (admittedByWindow.get(window) ?? 0) + admitted);
        }
        for (const admitted of admittedByWindow.values()) expect(admitted).toBeLessThanOrEqual(quota);
      },
    ),
    { numRuns: runs(100) },
  );
});

it('leaves the points of a key to the processes that use it often', async () => {
  const clock = { ms: 0 };
  const counts = openCounts(clock, () => 0);
  const [seldom, often] = [openLimiter(counts, clock), openLimiter(counts, clock)];
  await seldom.admit('a', 1000);
  let admitted = 0;
  for (let sent = 0; sent < 1000; sent++) if ((await often.admit('a', 1000)).admitted) admitted += 1;
  expect(admitted).toBeGreaterThanOrEqual(990);
});

it('keeps the windows of keys apart and applies a raised quota at once', async () => {
  const clock = { ms: 0 };
  const limiter = openLimiter(
    openCounts(clock, () => 0),
    clock,
  );
  expect(await limiter.admit('a', 1)).toMatchObject({ admitted: true });
  expect(await limiter.admit('a', 1)).toMatchObject({ admitted: false });
  expect(await limiter.admit('b', 1)).toMatchObject({ admitted: true });
  expect(limiter.standing('a', 1)).toMatchObject({ admitted: false, remaining: 0 });
  expect(await limiter.admit('a', 2)).toMatchObject({ admitted: true });
});

it('reports exactly what a key used in one process and never too little in several, and counts nothing', async () => {
  const clock = { ms: 0 };
  const counts = openCounts(clock, () => 0);
  const [here, there] = [openLimiter(counts, clock), openLimiter(counts, clock)];
  expect(await here.usage(['a', 'b'])).toEqual([
    { used: 0, endsInS: null },
    { used: 0, endsInS: null },
  ]);
  for (let sent = 1; sent <= 300; sent++) {
    await here.admit('a', 6000);
    expect(await here.usage(['a'])).toEqual([{ used: sent, endsInS: windowS }]);
  }
  for (let sent = 0; sent < 100; sent++) await there.admit('a', 6000);
  const [shared] = (await here.usage(['a'])) ?? [];
  expect(shared?.used).toBeGreaterThanOrEqual(400);
  expect(shared?.used).toBeLessThanOrEqual(400 + 6000 / 20);
  clock.ms += windowS * 1000;
  expect(await here.usage(['a'])).toEqual([{ used: 0, endsInS: null }]);
});

it('admits all requests while the store is unavailable, reports once a minute and probes once a second', async () => {
  const clock = { ms: 0 };
  const counts = openCounts(clock, () => 0);
  let isUnavailable = true;
  let takes = 0;
  const reports: unknown[] = [];
  const limiter = openBlockLimiter({
    readCounts: counts.readCounts,
    takePoints: (key, points) => {
      takes += 1;
      return isUnavailable ? Promise.reject(new Error('ECONNREFUSED')) : counts.takePoints(key, points);
    },
    windowS,
    timeoutMs: 1000,
    onUnavailable: (error, stats) => reports.push([error, stats.uncounted]),
    now: () => clock.ms,
  });
  expect(await limiter.admit('a', 1)).toMatchObject({ admitted: true });
  for (let sent = 0; sent < 100; sent++) {
    const standing = limiter.admit('a', 1);
    // No request waits for a store that is known to be unavailable.
    expect(standing).not.toBeInstanceOf(Promise);
    expect(standing).toMatchObject({ admitted: true });
  }
  expect(takes).toBe(1);
  expect(limiter.stats()).toEqual({ takes: 0, failures: 1, uncounted: 101, unavailable: true });
  for (let second = 1; second <= 70; second++) {
    clock.ms += 1000;
    for (let sent = 0; sent < 3; sent++) expect(limiter.admit('a', 1)).not.toBeInstanceOf(Promise);
    await settled();
  }
  expect(takes).toBe(71);
  expect(reports).toHaveLength(2);

  isUnavailable = false;
  clock.ms += 1000;
  expect(limiter.admit('a', 2)).toMatchObject({ admitted: true });
  await settled();
  expect(limiter.stats().unavailable).toBe(false);
  expect(await limiter.admit('a', 2)).toMatchObject({ admitted: true });
  expect(await limiter.admit('a', 2)).toMatchObject({ admitted: true });
  expect(await limiter.admit('a', 2)).toMatchObject({ admitted: false });
});

it('treats a store that does not respond in time as unavailable, for every waiting request', async () => {
  const limiter = openBlockLimiter({
    takePoints: () => new Promise(() => undefined),
    readCounts: () => new Promise(() => undefined),
    windowS,
    timeoutMs: 5,
    onUnavailable: () => undefined,
  });
  const standings = await Promise.all(Array.from({ length: 20 }, () => limiter.admit('a', 1)));
  expect(standings.every((standing) => standing.admitted)).toBe(true);
  expect(limiter.stats()).toEqual({ takes: 0, failures: 1, uncounted: 20, unavailable: true });
  expect(await limiter.usage(['a'])).toBeNull();
});

/** Resolves when everything that is ready has run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
