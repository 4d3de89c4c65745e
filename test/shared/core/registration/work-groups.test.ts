import { expect, test } from 'vitest';
import { openWorkGroups, type WorkGroupOptions } from '#shared/core/registration/work-groups.ts';

type Item = { lane: string; name: string | null; value: number };

/** Groups whose work the test ends itself, one call of `end` a group. */
function openHeldGroups(options: Partial<WorkGroupOptions<Item, number>> = {}) {
  const started: number[][] = [];
  const ends: (() => void)[] = [];
  const groups = openWorkGroups<Item, number>({
    laneOf: ({ lane }) => lane,
    nameOf: ({ name }) => name,
    maxRunning: 1,
    maxSize: 100,
    run: async (items) => {
      started.push(items.map(({ value }) => value));
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      await promise;
      return items.map(({ value }) => (value < 0 ? new Error(`no ${value}`) : value * 10));
    },
    ...options,
  });
  const add = (value: number, lane = 'a', name: string | null = null) => groups.add({ lane, name, value });
  const end = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { add, end, started };
}

test('an item that finds its lane idle goes at once and alone', async () => {
  const { add, end, started } = openHeldGroups();
  const one = add(1);
  expect(started).toEqual([[1]]);
  await end();
  expect(await one).toBe(10);
  void add(2);
  expect(started).toEqual([[1], [2]]);
});

test('what comes while a group is under way goes together, in order, as soon as that is done', async () => {
  const { add, end, started } = openHeldGroups();
  const answers = [1, 2, 3, 4].map((value) => add(value));
  expect(started).toEqual([[1]]);
  await end();
  expect(started).toEqual([[1], [2, 3, 4]]);
  await end();
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40]);
});

test('lanes do not wait for each other', () => {
  const { add, started } = openHeldGroups();
  void add(1, 'a');
  void add(2, 'b');
  expect(started).toEqual([[1], [2]]);
});

test('two items with the same name never share a group, and nobody waits behind the second', async () => {
  const { add, end, started } = openHeldGroups();
  void add(0);
  void add(1, 'a', 'key');
  void add(2, 'a', 'key');
  void add(3, 'a', 'other');
  await end();
  expect(started.at(-1)).toEqual([1, 3]);
  await end();
  expect(started.at(-1)).toEqual([2]);
});

test('a group has at most its size, and so many run as may', async () => {
  const { add, end, started } = openHeldGroups({ maxRunning: 2, maxSize: 2 });
  for (const value of [1, 2, 3, 4, 5]) void add(value);
  expect(started).toEqual([[1], [2]]);
  await end();
  expect(started).toEqual([[1], [2], [3, 4]]);
});

test('the error of one item is its own; an error of the whole group is every item’s, and the lane goes on', async () => {
  const { add, end } = openHeldGroups();
  const answers = Promise.allSettled([add(0), add(-1), add(2)]);
  await end();
  await end();
  expect((await answers).map((answer) => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const broken = openWorkGroups<number, number>({
    laneOf: () => '',
    nameOf: () => null,
    maxRunning: 1,
    maxSize: 9,
    run: (items) => (items.includes(2) ? Promise.reject(new Error('broken')) : Promise.resolve([...items])),
  });
  const three = await Promise.allSettled([broken.add(1), broken.add(2), broken.add(3)]);
  expect(three.map((answer) => answer.status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await broken.add(4)).toBe(4);
});
