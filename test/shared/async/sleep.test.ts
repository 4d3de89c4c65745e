import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { jittered, sleep } from '#shared/async/sleep.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function timeOf(sleeping: Promise<void>): Promise<number> {
  const startedAt = Date.now();
  let endedAt = Number.NaN;
  void sleeping.then(() => {
    endedAt = Date.now();
  });
  await vi.runAllTimersAsync();
  return endedAt - startedAt;
}

test('sleeps for the given time', async () => {
  expect(await timeOf(sleep(1000))).toBe(1000);
});

test('wakes when the signal aborts and leaves no timer behind', async () => {
  const stopping = new AbortController();
  const sleeping = sleep(1000, { signal: stopping.signal });
  stopping.abort();
  await sleeping;
  expect(vi.getTimerCount()).toBe(0);
});

test('does not sleep when the signal has aborted already', async () => {
  await sleep(1000, { signal: AbortSignal.abort() });
  expect(vi.getTimerCount()).toBe(0);
});

test('leaves no listener behind on its signal', async () => {
  const { signal } = new AbortController();
  const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
  await timeOf(sleep(1000, { signal }));
  expect(removed.mock.calls).toEqual(added.mock.calls);
});

test('varies its time by at most the jitter, up and down', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  expect(await timeOf(sleep(1000, { jitter: 0.2 }))).toBe(800);
  random.mockReturnValue(0.5);
  expect(await timeOf(sleep(1000, { jitter: 0.2 }))).toBe(1000);
  random.mockReturnValue(0.999_999);
  expect(jittered(1000, 0.2)).toBeCloseTo(1200, 0);
});
