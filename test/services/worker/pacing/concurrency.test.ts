import { expect, it } from 'vitest';
import { openConcurrency } from '#services/worker/pacing/concurrency.ts';

/** Runs rounds of calls that fill all places; a call takes `durationMs` of the test's clock. */
async function runRounds(
  concurrency: ReturnType<typeof openConcurrency>,
  clock: { ms: number },
  { rounds, durationMs }: { rounds: number; durationMs: number },
) {
  for (let round = 0; round < rounds; round++) {
    const ends: (() => void)[] = [];
    const calls = Array.from({ length: concurrency.limit() }, () =>
      concurrency.run(() => new Promise<void>((resolve) => ends.push(resolve))),
    );
    await new Promise((resolve) => setImmediate(resolve));
    clock.ms += durationMs;
    for (const end of ends) end();
    await Promise.all(calls);
  }
}

it('never exceeds the limit, and starts a call with precedence first', async () => {
  const concurrency = openConcurrency({ maxCalls: 2 });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const call = (name: string, first = false) =>
    concurrency.run(
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

it('rises to the maximum for a carrier that stays fast, and falls for one that slows down', async () => {
  const clock = { ms: 0 };
  const concurrency = openConcurrency({ maxCalls: 32, now: () => clock.ms });
  const begun = concurrency.limit();
  await runRounds(concurrency, clock, { rounds: 40, durationMs: 50 });
  expect(begun).toBeLessThan(32);
  expect(concurrency.limit()).toBe(32);
  await runRounds(concurrency, clock, { rounds: 20, durationMs: 2000 });
  expect(concurrency.limit()).toBeLessThan(16);
  expect(concurrency.limit()).toBeGreaterThanOrEqual(2);
});

it.each([
  { name: 'calls that were never made', isAnswer: () => false },
  { name: 'failures that come at once', isAnswer: undefined },
])('stays where it is through $name', async ({ isAnswer }) => {
  const clock = { ms: 0 };
  const concurrency = openConcurrency({ maxCalls: 32, now: () => clock.ms });
  await runRounds(concurrency, clock, { rounds: 40, durationMs: 200 });
  const fail = isAnswer === undefined ? () => Promise.reject(new Error('refused')) : async () => {};
  for (let call = 0; call < 100; call++)
    await concurrency.run(fail, isAnswer === undefined ? {} : { isAnswer }).catch(() => {});
  expect(concurrency.limit()).toBe(32);
  await runRounds(concurrency, clock, { rounds: 20, durationMs: 200 });
  expect(concurrency.limit()).toBe(32);
});

it('falls for failures that take long', async () => {
  const clock = { ms: 0 };
  const concurrency = openConcurrency({ maxCalls: 32, now: () => clock.ms });
  await runRounds(concurrency, clock, { rounds: 40, durationMs: 50 });
  for (let call = 0; call < 40; call++)
    await concurrency
      .run(async () => {
        clock.ms += 20_000;
        throw new Error('no answer in time');
      })
      .catch(() => {});
  expect(concurrency.limit()).toBeLessThan(16);
});

it('makes room for the next call after a failed one', async () => {
  const concurrency = openConcurrency({ maxCalls: 1 });
  await expect(concurrency.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await concurrency.run(async () => 'yes')).toBe('yes');
});

it('leaves every fourth start to calls without precedence', async () => {
  const concurrency = openConcurrency({ maxCalls: 1 });
  const order: string[] = [];
  const call = (name: string, first: boolean) => concurrency.run(async () => void order.push(name), { first });
  await Promise.all([
    call('begun', false),
    ...Array.from({ length: 6 }, () => call('rest', false)),
    ...Array.from({ length: 12 }, () => call('first', true)),
  ]);
  expect(order.slice(1, 9)).toEqual(['first', 'first', 'first', 'rest', 'first', 'first', 'first', 'rest']);
});
