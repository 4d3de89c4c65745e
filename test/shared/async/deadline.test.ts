import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runWithin, settlesWithin, withDeadline } from '#shared/async/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => {});

describe('withDeadline', () => {
  test('settles as the work does and leaves no timer behind', async () => {
    expect(await withDeadline(Promise.resolve(1), 1000, 'late')).toBe(1);
    await expect(withDeadline(Promise.reject(new Error('broken')), 1000, 'late')).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('rejects with a TimeoutError of the given text, or with the given error, when the time is up', async () => {
    const texts = expect(withDeadline(never, 1000, 'the queue is slow')).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'the queue is slow',
    });
    const own = new RangeError('own');
    const errors = expect(withDeadline(never, 1000, () => own)).rejects.toBe(own);
    await vi.advanceTimersByTimeAsync(1000);
    await texts;
    await errors;
  });

  test('handles a rejection that comes after the deadline', async () => {
    const work = Promise.withResolvers<void>();
    const late = expect(withDeadline(work.promise, 1000, 'late')).rejects.toThrow('late');
    await vi.advanceTimersByTimeAsync(1000);
    await late;
    work.reject(new Error('an unhandled rejection would fail this file'));
    await vi.advanceTimersByTimeAsync(0);
  });
});

describe('runWithin', () => {
  test('aborts the signal of late work and rejects with the same error, even if the work ignores it', async () => {
    let signal: AbortSignal | undefined;
    const run = runWithin(
      (given) => {
        signal = given;
        return never;
      },
      { timeoutMs: 1000, late: 'The job took too long.' },
    );
    const rejects = expect(run).rejects.toMatchObject({ name: 'TimeoutError', message: 'The job took too long.' });
    await vi.advanceTimersByTimeAsync(999);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await rejects;
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' });
  });

  test('ends with the first outer signal that aborts, and with its reason', async () => {
    const [outer, other] = [new AbortController(), new AbortController()];
    const reason = new Error('stopping');
    let signal: AbortSignal | undefined;
    const run = runWithin(
      (given) => {
        signal = given;
        return never;
      },
      { timeoutMs: 1000, signals: [outer.signal, other.signal], late: 'late' },
    );
    outer.abort(reason);
    other.abort();
    await expect(run).rejects.toBe(reason);
    expect(signal?.reason).toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends at once when an outer signal has aborted already', async () => {
    const signals = [new AbortController().signal, AbortSignal.abort(new Error('gone'))];
    const work = vi.fn(async (signal: AbortSignal) => signal.throwIfAborted());
    await expect(runWithin(work, { timeoutMs: 1000, signals, late: 'late' })).rejects.toThrow('gone');
    expect(work.mock.calls[0]?.[0].aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('leaves no timer and no listener behind when the work settles, and does not abort its signal', async () => {
    const outer = new AbortController();
    const removed = vi.spyOn(outer.signal, 'removeEventListener');
    let signal: AbortSignal | undefined;
    const options = { timeoutMs: 1000, signals: [outer.signal], late: 'late' };
    const done = await runWithin(async (given) => {
      signal = given;
      return 'done';
    }, options);
    expect(done).toBe('done');
    await expect(runWithin(() => Promise.reject(new Error('broken')), options)).rejects.toThrow('broken');
    await expect(runWithin(() => expect.fail('thrown'), options)).rejects.toThrow('thrown');
    outer.abort();
    expect(signal?.aborted).toBe(false);
    expect(removed).toHaveBeenCalledTimes(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('waits for the work after its signal aborted if asked to', async () => {
    const work = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () =>
          setTimeout(reject, 50, new Error(`broken off: ${signal.reason.message}`)),
        );
      });
    const run = runWithin(work, { timeoutMs: 10, late: 'late', waitsForWork: true });
    const rejects = expect(run).rejects.toThrow('broken off: late');
    await vi.advanceTimersByTimeAsync(59);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await rejects;
  });

  test('handles a rejection of the work that comes after the end', async () => {
    const work = Promise.withResolvers<void>();
    const run = expect(runWithin(() => work.promise, { timeoutMs: 10, late: 'late' })).rejects.toThrow('late');
    await vi.advanceTimersByTimeAsync(10);
    await run;
    work.reject(new Error('an unhandled rejection would fail this file'));
    await vi.advanceTimersByTimeAsync(0);
  });
});

test('settlesWithin resolves with whether the work settled in time, either way', async () => {
  expect(await settlesWithin(Promise.resolve(), 1000)).toBe(true);
  expect(await settlesWithin(Promise.reject(new Error('broken')), 1000)).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  const late = settlesWithin(never, 1000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await late).toBe(false);
});
