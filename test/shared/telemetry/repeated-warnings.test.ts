import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '#shared/telemetry/logger.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minuteMs = 60_000;

function capture() {
  const written: string[] = [];
  const log = createLogger({ name: 'test', level: 'info', destination: { write: (line) => written.push(line) } });
  const take = () => written.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log, written, take };
}

function lostLock(job: number): Error {
  return new Error(`Missing lock for job 01990000-0000-7000-8000-00000000000a.${job}. moveToFinished`);
}

it('writes a repeated warning in full once, then one line a minute with its count and without a stack', () => {
  const { log, written, take } = capture();
  for (let job = 0; job < 3000; job += 1) log.warn({ err: lostLock(job) }, 'queue error');
  expect(take()).toMatchObject([{ msg: 'queue error', err: { stack: expect.stringContaining('Missing lock') } }]);

  vi.advanceTimersByTime(minuteMs);
  expect(written.join('')).not.toContain('stack');
  expect(take()).toMatchObject([
    { msg: 'queue error', repeated: 2999, error: expect.stringContaining('Missing lock') },
  ]);

  for (let job = 0; job < 5; job += 1) log.child({ request: job }).warn({ err: lostLock(job) }, 'queue error');
  vi.advanceTimersByTime(minuteMs);
  expect(take()).toMatchObject([{ msg: 'queue error', repeated: 5 }]);
});

it('writes a warning in full again after a minute without it', () => {
  const { log, take } = capture();
  log.warn({ err: lostLock(1) }, 'queue error');
  vi.advanceTimersByTime(minuteMs);
  log.warn({ err: lostLock(2) }, 'queue error');
  expect(take().map(({ repeated, err }) => [repeated, Object.hasOwn(err as object, 'stack')])).toEqual([
    [undefined, true],
    [undefined, true],
  ]);
});

it('writes warnings of another job or with another error, warnings without an error, and errors each time', () => {
  const { log, take } = capture();
  const err = lostLock(1);
  for (const job of ['sweep-due', 'mark-stale']) log.warn({ err, job }, 'periodic job failed; retrying');
  log.warn({ err: new Error('no connection'), job: 'sweep-due' }, 'periodic job failed; retrying');
  for (const _time of [1, 2]) log.warn({ carrier: 'MAEU' }, 'circuit opened');
  for (const _time of [1, 2]) log.error({ err }, 'request failed');
  expect(take()).toHaveLength(7);
});

it('writes each warning of a request, the repeated ones without a stack, so that its id is found', () => {
  const { log, take } = capture();
  for (const id of ['req_1', 'req_2'])
    log.warn({ err: lostLock(1), request_id: id }, 'request failed: dependency unavailable');
  expect(take()).toMatchObject([
    { request_id: 'req_1', err: { stack: expect.any(String) } },
    { request_id: 'req_2', error: expect.stringContaining('Missing lock') },
  ]);
});
