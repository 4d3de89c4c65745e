import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RepeatOptions, repeat } from '#shared/async/repeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Repeats what `run` does and notes when each run starts. */
function openRepetition(run: () => Promise<number | undefined>, options: Partial<RepeatOptions> = {}) {
  const stopping = new AbortController();
  const startedAtMs = Date.now();
  const runsAtMs: number[] = [];
  const errors: [unknown, number][] = [];
  const ended = repeat(
    async () => {
      runsAtMs.push(Date.now() - startedAtMs);
      return run();
    },
    {
      everyMs: 1000,
      signal: stopping.signal,
      onError: (error, failures) => errors.push([error, failures]),
      ...options,
    },
  );
  return { ended, runsAtMs, errors, stop: () => stopping.abort() };
}

test('runs at once and then again after each pause, until the signal aborts', async () => {
  const { ended, runsAtMs, stop } = openRepetition(async () => undefined);
  await vi.advanceTimersByTimeAsync(2500);
  expect(runsAtMs).toEqual([0, 1000, 2000]);
  stop();
  await ended;
  expect(vi.getTimerCount()).toBe(0);
});

test('does not run at all when the signal has aborted already', async () => {
  const { ended, runsAtMs } = openRepetition(async () => undefined, { signal: AbortSignal.abort() });
  await ended;
  expect(runsAtMs).toEqual([]);
});

test('pauses for as long as a run asks for', async () => {
  const pauses = [50, 20, undefined];
  const { runsAtMs, stop } = openRepetition(async () => pauses.shift());
  await vi.advanceTimersByTimeAsync(1080);
  expect(runsAtMs).toEqual([0, 50, 70, 1070]);
  stop();
});

test('never runs twice at the same time, and ends only after the run in progress', async () => {
  let end = () => {};
  const { ended, runsAtMs, stop } = openRepetition(() => new Promise((resolve) => (end = () => resolve(undefined))));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(runsAtMs).toEqual([0]);
  end();
  await vi.advanceTimersByTimeAsync(1000);
  expect(runsAtMs).toEqual([0, 11_000]);
  const onEnded = vi.fn();
  void ended.then(onEnded);
  stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(onEnded).not.toHaveBeenCalled();
  end();
  await ended;
});

test('varies its pauses by the jitter', async () => {
  vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValue(1);
  const { runsAtMs, stop } = openRepetition(async () => undefined, { jitter: 0.1 });
  await vi.advanceTimersByTimeAsync(2500);
  expect(runsAtMs).toEqual([0, 900, 2000]);
  stop();
});

test('reports an error with the number of failures in a row and doubles the pause up to its maximum', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const outcomes = ['no', 'no', 'no', 'yes', 'no'];
  const { runsAtMs, errors, stop } = openRepetition(
    async () => {
      const outcome = outcomes.shift();
      if (outcome === 'no') throw new Error(outcome);
      return undefined;
    },
    { minBackoffMs: 100, maxBackoffMs: 500 },
  );
  await vi.advanceTimersByTimeAsync(2400);
  expect(runsAtMs).toEqual([0, 200, 600, 1100, 2100, 2300]);
  expect(errors.map(([, failures]) => failures)).toEqual([1, 2, 3, 1]);
  expect(errors[0]?.[0]).toEqual(new Error('no'));
  stop();
});

test('takes up to half off the pause after an error', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { runsAtMs, stop } = openRepetition(() => Promise.reject(new Error('no')), { minBackoffMs: 500 });
  await vi.advanceTimersByTimeAsync(500);
  expect(runsAtMs).toEqual([0, 500]);
  stop();
});
