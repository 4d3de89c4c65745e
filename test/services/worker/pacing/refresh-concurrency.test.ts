import { expect, it } from 'vitest';
import { openRefreshConcurrency } from '#services/worker/pacing/refresh-concurrency.ts';

/** Runs rounds of calls that fill all places; a call takes `durationMs` of the test's clock. */
async function runRounds(
  lanes: ReturnType<typeof openRefreshConcurrency>,
  clock: { ms: number },
  { rounds, durationMs }: { rounds: number; durationMs: number },
) {
  for (let round = 0; round < rounds; round++) {
    const ends: (() => void)[] = [];
    const calls = Array.from({ length: lanes.places() }, () =>
      lanes.run(() => new Promise<void>((resolve) => ends.push(resolve))),
    );
    await new Promise((resolve) => setImmediate(resolve));
    clock.ms += durationMs;
    for (const end of ends) end();
    await Promise.all(calls);
  }
}

it('never more calls are under way than there are places, and one that goes first goes first', async () => {
  const lanes = openRefreshConcurrency({ most: 2 });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const call = (name: string, first = false) =>
    lanes.run(
      () => {
        order.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      },
      { first },
    );
  const calls = [call('a'), call('b'), call('c'), call('d', true)];
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(['a', 'b']);
  while (ends.length > 0) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(calls);
  expect(order).toEqual(['a', 'b', 'd', 'c']);
});

it('a carrier that stays fast is asked by as many as allowed; one that slows down by fewer', async () => {
  const clock = { ms: 0 };
  const lanes = openRefreshConcurrency({ most: 32, now: () => clock.ms });
  const begun = lanes.places();
  await runRounds(lanes, clock, { rounds: 40, durationMs: 50 });
  expect(begun).toBeLessThan(32);
  expect(lanes.places()).toBe(32);
  await runRounds(lanes, clock, { rounds: 20, durationMs: 2000 });
  expect(lanes.places()).toBeLessThan(16);
  expect(lanes.places()).toBeGreaterThanOrEqual(2);
});

it('a call that fails gives its place back', async () => {
  const lanes = openRefreshConcurrency({ most: 1 });
  await expect(lanes.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await lanes.run(async () => 'yes')).toBe('yes');
});

it('calls that go first without an end leave every fourth place to the rest', async () => {
  const lanes = openRefreshConcurrency({ most: 1 });
  const order: string[] = [];
  const call = (name: string, first: boolean) => lanes.run(async () => void order.push(name), { first });
  await Promise.all([
    call('begun', false),
    ...Array.from({ length: 6 }, () => call('rest', false)),
    ...Array.from({ length: 12 }, () => call('first', true)),
  ]);
  expect(order.slice(1, 9)).toEqual(['first', 'first', 'first', 'rest', 'first', 'first', 'first', 'rest']);
});
