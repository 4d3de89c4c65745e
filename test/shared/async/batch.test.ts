import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BatchOptions, batch, type Outcome } from '#shared/async/batch.ts';
import { runs } from '#test/support/run-scale.ts';

type Item = { key: string; name: string | null; value: number };

const turn = () => new Promise(setImmediate);

/** A batcher whose batches end when the test says so, the oldest first. */
function openHeld(options: Partial<BatchOptions<Item, number>> = {}) {
  const started: number[][] = [];
  const ends: (() => void)[] = [];
  const addItem = batch<Item, number>({
    maxRunning: 1,
    maxSize: 100,
    keyOf: ({ key }) => key,
    nameOf: ({ name }) => name,
    run: async (items) => {
      started.push(items.map(({ value }) => value));
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      await promise;
      return items.map(({ value }) => (value < 0 ? new Error(`no ${value}`) : value * 10));
    },
    ...options,
  });
  const add = (value: number, key = 'a', name: string | null = null) => addItem({ key, name, value });
  const end = async () => {
    ends.shift()?.();
    await turn();
  };
  return { add, end, started };
}

test('starts an item at once and alone while nothing runs', async () => {
  const { add, end, started } = openHeld();
  const one = add(1);
  expect(started).toEqual([[1]]);
  await end();
  expect(await one).toBe(10);
  void add(2);
  expect(started).toEqual([[1], [2]]);
});

test('starts everything that arrived during a batch together and in order when that batch ends', async () => {
  const { add, end, started } = openHeld();
  const results = [add(1), add(2), add(3)];
  await turn();
  results.push(add(4));
  await turn();
  expect(started).toEqual([[1]]);
  await end();
  expect(started).toEqual([[1], [2, 3, 4]]);
  await end();
  expect(await Promise.all(results)).toEqual([10, 20, 30, 40]);
});

test('runs different keys independently', () => {
  const { add, started } = openHeld();
  void add(1, 'a');
  void add(2, 'b');
  expect(started).toEqual([[1], [2]]);
});

test('never puts two items with the same name into one batch, and lets later items pass the second', async () => {
  const { add, end, started } = openHeld();
  void add(0);
  void add(1, 'a', 'name');
  void add(2, 'a', 'name');
  void add(3, 'a', 'other');
  await end();
  expect(started.at(-1)).toEqual([1, 3]);
  await end();
  expect(started.at(-1)).toEqual([2]);
});

test('keeps to the maximum size and the maximum number of running batches', async () => {
  const { add, end, started } = openHeld({ maxRunning: 2, maxSize: 2 });
  for (const value of [1, 2, 3, 4, 5]) void add(value);
  expect(started).toEqual([[1], [2]]);
  await end();
  expect(started).toEqual([[1], [2], [3, 4]]);
});

test('combines the items of one turn when the start is deferred, up to the maximum size', async () => {
  const { add, end, started } = openHeld({ maxRunning: 2, maxSize: 2, defer: queueMicrotask });
  const results = [1, 2, 3, 4, 5].map((value) => add(value));
  expect(started).toEqual([]);
  await turn();
  expect(started).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await end();
  expect(started.at(-1)).toEqual([5]);
  await end();
  await end();
  expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50]);
});

test('starts deferred items when a batch ends, and starts nothing twice when the deferral ends later', async () => {
  const deferred: (() => void)[] = [];
  const { add, end, started } = openHeld({ maxRunning: 2, defer: (start) => deferred.push(start) });
  void add(1);
  deferred.shift()?.();
  void add(2);
  await end();
  expect(started).toEqual([[1], [2]]);
  await end();
  void add(3);
  deferred.shift()?.();
  expect(started).toEqual([[1], [2], [3]]);
  for (const value of [4, 5]) void add(value);
  deferred.shift()?.();
  void add(6);
  expect(started).toEqual([[1], [2], [3], [4, 5]]);
  expect(deferred).toEqual([]);
});

test('gives each item its own error', async () => {
  const { add, end } = openHeld({ defer: queueMicrotask });
  const results = Promise.allSettled([add(0), add(-1), add(2)]);
  await turn();
  await end();
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('settles an item with its own promise, and starts the next batch only after the last one', async () => {
  const slow = Promise.withResolvers<string>();
  const started: number[][] = [];
  const add = batch<number, string>({
    maxRunning: 1,
    maxSize: 10,
    defer: queueMicrotask,
    run: (items) => {
      started.push(items);
      return items.map((item) => (item === 1 ? slow.promise : Promise.resolve(`did ${item}`)));
    },
  });
  const [first, second] = [add(1), add(2)];
  expect(await second).toBe('did 2');
  const third = add(3);
  await turn();
  expect(started).toEqual([[1, 2]]);
  slow.reject(new Error('too slow'));
  await expect(first).rejects.toThrow('too slow');
  expect(await third).toBe('did 3');
});

describe.each([
  ['throws', () => expect.fail('broken')],
  ['rejects', () => Promise.reject(new Error('broken'))],
  ['returns too few outcomes', async () => []],
])('when a run %s', (_, fail: () => never | Promise<Outcome<number>[]>) => {
  test('rejects exactly its items and goes on', async () => {
    const add = batch<number, number>({
      maxRunning: 1,
      maxSize: 9,
      run: (items) => (items.includes(2) ? fail() : Promise.resolve(items)),
    });
    const results = await Promise.allSettled([add(1), add(2), add(3)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await add(4)).toBe(4);
  });
});

type Step = { add: Pick<Item, 'key' | 'name'> } | { end: number; how: 'ok' | 'throw' | 'some' | 'promises' } | 'turn';

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      add: fc.record({
        key: fc.constantFrom('a', 'b', 'c'),
        name: fc.constantFrom(null, null, null, 'x', 'y'),
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ end: fc.nat(9), how: fc.constantFrom('ok', 'throw', 'some', 'promises') }),
  },
  { weight: 1, arbitrary: fc.constant('turn' as const) },
);

const defers = {
  none: undefined,
  microtask: queueMicrotask,
  immediate: (start: () => void) => void setImmediate(start),
};

test('gives every item exactly one outcome, its own, within the limits and in order', async () => {
  const anyRun = fc.record({
    maxRunning: fc.integer({ min: 1, max: 3 }),
    maxSize: fc.integer({ min: 1, max: 5 }),
    defer: fc.constantFrom(...Object.values(defers)),
    steps: fc.array(anyStep, { maxLength: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(anyRun, async ({ maxRunning, maxSize, defer, steps }) => {
      const open: { items: Item[]; end: (how: string) => void }[] = [];
      const expected = new Map<number, string>();
      const started: Item[] = [];
      const addItem = batch<Item, string>({
        maxRunning,
        maxSize,
        keyOf: ({ key }) => key,
        nameOf: ({ name }) => name,
        ...(defer === undefined ? {} : { defer }),
        run: (items) => {
          const { promise, resolve, reject } = Promise.withResolvers<Outcome<string>[]>();
          const names = items.flatMap(({ name }) => name ?? []);
          expect(items.length).toBeLessThanOrEqual(maxSize);
          expect(new Set(items.map(({ key }) => key)).size).toBe(1);
          expect(new Set(names).size).toBe(names.length);
          started.push(...items);
          const one = {
            items,
            end: (how: string) => {
              open.splice(open.indexOf(one), 1);
              const own = ({ value }: Item) => (how === 'ok' || value % 2 === 0 ? `did ${value}` : `no ${value}`);
              for (const item of items) expected.set(item.value, how === 'throw' ? 'broken' : own(item));
              if (how === 'throw') reject(new Error('broken'));
              const outcomes = items.map((item): Outcome<string> => {
                const text = own(item);
                if (how === 'promises')
                  return text.startsWith('no') ? Promise.reject(new Error(text)) : Promise.resolve(text);
                return text.startsWith('no') ? new Error(text) : text;
              });
              if (how !== 'throw') resolve(outcomes);
            },
          };
          open.push(one);
          const ofKey = open.filter((other) => other.items[0]?.key === items[0]?.key);
          expect(ofKey.length).toBeLessThanOrEqual(maxRunning);
          return promise;
        },
      });

      const results: Promise<string>[] = [];
      const items: Item[] = [];
      for (const step of steps) {
        if (step === 'turn') await turn();
        else if ('end' in step) {
          open[step.end % Math.max(1, open.length)]?.end(step.how);
          await turn();
        } else {
          const item = { ...step.add, value: items.length };
          items.push(item);
          results.push(addItem(item).catch((error: Error) => error.message));
        }
      }
      for (await turn(); open.length > 0; await turn()) open[0]?.end('some');

      expect(await Promise.all(results)).toEqual(items.map(({ value }) => expected.get(value)));
      // Every item started once; those that no name held back started in the order of their arrival.
      expect(started.toSorted((left, right) => left.value - right.value)).toEqual(items);
      for (const key of ['a', 'b', 'c']) {
        for (const name of [null, 'x', 'y']) {
          const values = started.filter((item) => item.key === key && item.name === name).map(({ value }) => value);
          expect(values).toEqual(values.toSorted((left, right) => left - right));
        }
      }
    }),
    { numRuns: runs(500) },
  );
});
