import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type FairQueueOptions, fairQueue } from '#shared/async/fair-queue.ts';

const openQueue = (options: Partial<FairQueueOptions> = {}) =>
  fairQueue({
    maxRunning: 3,
    maxRunningOfKey: 2,
    maxWaitingOfKey: 100,
    maxWaitMs: 60_000,
    refusal: (isOwnLoad) => new Error(isOwnLoad ? 'busy' : 'full'),
    cancellation: (reason) => new Error('cancelled', { cause: reason }),
    ...options,
  });

/** Work that starts when the queue lets it and ends when the test says so. */
function work(started: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    end: resolve,
    run: async () => {
      started.push(name);
      await promise;
      return name;
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('starts the work of another key at once, for any amount of running and waiting work of one key', async () => {
  const queue = openQueue();
  const started: string[] = [];
  const heavy = Array.from({ length: 50 }, (_, n) => work(started, `a${n}`));
  const running = heavy.map(({ run }) => queue.run('a', run));
  const light = work(started, 'b');
  const served = queue.run('b', light.run);
  expect(started).toEqual(['a0', 'a1', 'b']);
  expect(queue.waiting()).toBe(48);
  light.end();
  expect(await served).toBe('b');
  for (const { end } of heavy) end();
  expect(await Promise.all(running)).toHaveLength(50);
  expect(queue.waiting()).toBe(0);
});

test('lets waiting keys take turns', async () => {
  const queue = openQueue({ maxRunning: 1, maxRunningOfKey: 1 });
  const started: string[] = [];
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
  await Promise.all(names.map((name) => queue.run(name.slice(0, 1), async () => void started.push(name))));
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('refuses the key whose line is full, and no other', async () => {
  const queue = openQueue({ maxWaitingOfKey: 2 });
  const held = work([], 'held');
  const running = Array.from({ length: 4 }, () => queue.run('a', held.run));
  await expect(queue.run('a', held.run)).rejects.toThrow('busy');
  expect(await queue.run('b', async () => 'served')).toBe('served');
  held.end();
  await Promise.all(running);
  expect(await queue.run('a', async () => 'served')).toBe('served');
});

test('ends a wait that takes too long, and names the key whose work is in the way', async () => {
  vi.useFakeTimers();
  try {
    const queue = openQueue({ maxRunning: 2, maxRunningOfKey: 1, maxWaitMs: 5000 });
    const held = work([], 'held');
    const running = [queue.run('a', held.run), queue.run('b', held.run)];
    const own = expect(queue.run('a', held.run)).rejects.toThrow('busy');
    const others = expect(queue.run('c', held.run)).rejects.toThrow('full');
    await vi.advanceTimersByTimeAsync(5000);
    await own;
    await others;
    expect(queue.waiting()).toBe(0);
    held.end();
    await Promise.all(running);
  } finally {
    vi.useRealTimers();
  }
});

test('ends a wait when its signal aborts, and does not start that work later', async () => {
  const queue = openQueue({ maxRunning: 1, maxRunningOfKey: 1 });
  const started: string[] = [];
  const held = work(started, 'held');
  const running = queue.run('a', held.run);
  const gone = new AbortController();
  const waiting = queue.run('a', work(started, 'gone').run, gone.signal);
  gone.abort('gone');
  for (const ended of [waiting, queue.run('a', work(started, 'gone').run, gone.signal)])
    await expect(ended).rejects.toMatchObject({ message: 'cancelled', cause: 'gone' });
  held.end();
  await running;
  await turn();
  expect(started).toEqual(['held']);
});

test('runs everything once, in the order of its key, and never more than its places', async () => {
  const jobs = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), fails: fc.boolean() }), {
    maxLength: 60,
  });
  const sizes = fc.record({
    maxRunning: fc.integer({ min: 1, max: 5 }),
    maxRunningOfKey: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(jobs, sizes, fc.scheduler(), async (all, { maxRunning, maxRunningOfKey }, scheduler) => {
      const queue = openQueue({ maxRunning, maxRunningOfKey });
      const started: number[] = [];
      let running: string[] = [];
      const outcomes = all.map(({ key, fails }, place) =>
        queue.run(key, async () => {
          started.push(place);
          running.push(key);
          expect(running.length).toBeLessThanOrEqual(maxRunning);
          expect(running.filter((one) => one === key).length).toBeLessThanOrEqual(maxRunningOfKey);
          await scheduler.schedule(Promise.resolve());
          running = running.toSpliced(running.indexOf(key), 1);
          if (fails) throw new Error('failed');
        }),
      );
      const settled = Promise.allSettled(outcomes);
      await scheduler.waitFor(settled);
      expect((await settled).map(({ status }) => status === 'rejected')).toEqual(all.map(({ fails }) => fails));
      for (const key of ['a', 'b', 'c', 'd']) {
        const places = started.filter((place) => all[place]?.key === key);
        expect(places).toEqual(places.toSorted((left, right) => left - right));
      }
      expect(started.toSorted((left, right) => left - right)).toEqual(all.map((_, place) => place));
    }),
  );
});
