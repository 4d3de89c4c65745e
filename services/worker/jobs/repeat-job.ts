import type { CoreLog } from '#shared/core/core-context.ts';

export type RepeatedJob = {
  /** For the log: "the … failed". */
  name: string;
  /** Works once and gives the milliseconds to wait before the next time. */
  run: () => Promise<number>;
  signal: AbortSignal;
  log: CoreLog;
  /** The wait after an error doubles from the shortest, 200 ms unless given, to the longest one. */
  shortestPauseMs?: number;
  longestPauseMs: number;
};

/** Runs a job again and again until `signal`, after the pause that each run asks for. An error is logged, waited out and never ends it. */
export async function repeatJob({
  name,
  run,
  signal,
  log,
  shortestPauseMs = 200,
  longestPauseMs,
}: RepeatedJob): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let pauseMs: number;
    try {
      pauseMs = await run();
      failures = 0;
    } catch (error) {
      failures += 1;
      pauseMs = Math.min(shortestPauseMs * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2);
      log.warn({ err: error, failures }, `${name} failed and will be repeated`);
    }
    await pause(pauseMs, signal);
  }
}

async function pause(forMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, forMs);
  const wake = (): void => resolve();
  signal.addEventListener('abort', wake, { once: true });
  if (signal.aborted) resolve();
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', wake);
}
