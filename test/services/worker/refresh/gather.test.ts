import { expect, it } from 'vitest';
import { gather } from '#services/worker/refresh/gather.ts';

/** A flush that ends when the test says so. */
function openFlush({ lanes = 1, most = 100 } = {}) {
  const flushes: { items: number[]; end: () => void }[] = [];
  const add = gather<number, string>(
    (items) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      flushes.push({ items, end: resolve });
      return items.map(async (item) => {
        await promise;
        if (item < 0) throw new Error(`no ${item}`);
        return `did ${item}`;
      });
    },
    { most, lanes },
  );
  return { add, flushes, turn: () => new Promise((resolve) => setImmediate(resolve)) };
}

it('a piece goes at once while nothing is under way, else with all that arrived meanwhile', async () => {
  const { add, flushes, turn } = openFlush();
  const first = add(1);
  await turn();
  expect(flushes.map(({ items }) => items)).toEqual([[1]]);
  const others = [add(2), add(3)];
  await turn();
  others.push(add(4));
  await turn();
  expect(flushes).toHaveLength(1);
  flushes[0]?.end();
  expect(await first).toBe('did 1');
  await turn();
  expect(flushes.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
  flushes[1]?.end();
  expect(await Promise.all(others)).toEqual(['did 2', 'did 3', 'did 4']);
});

it('what is asked for in one turn goes together, in several flushes where it is too much', async () => {
  const { add, flushes, turn } = openFlush({ lanes: 2, most: 2 });
  const all = [1, 2, 3, 4, 5].map(add);
  await turn();
  expect(flushes.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  flushes[1]?.end();
  await turn();
  expect(flushes.map(({ items }) => items)[2]).toEqual([5]);
  for (const { end } of flushes) end();
  expect(await Promise.all(all)).toHaveLength(5);
});

it('each piece has its own answer: one that fails fails alone', async () => {
  const { add, flushes, turn } = openFlush();
  const all = [add(1), add(-2), add(3)];
  await turn();
  flushes[0]?.end();
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

it('a flush that throws fails its pieces, and the next one goes on', async () => {
  let calls = 0;
  const add = gather<number, number>(
    (items) => {
      calls += 1;
      if (calls === 1) throw new Error('broken');
      return items.map(async (item) => item);
    },
    { most: 10, lanes: 1 },
  );
  await expect(add(1)).rejects.toThrow('broken');
  expect(await add(2)).toBe(2);
});
