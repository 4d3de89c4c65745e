import { sleep } from './sleep.ts';

export type RepeatOptions = {
  /** Pause between the end of a run and the start of the next one. */
  everyMs: number;
  /** Share of each pause by which it may be shorter or longer. */
  jitter?: number;
  /** Ends the repetition after the run in progress. */
  signal: AbortSignal;
  /** Called with each error of a run and the number of failures in a row. Must not throw. */
  onError: (error: unknown, failures: number) => void;
  /** The pause after an error doubles from `minBackoffMs` (default 200) to `maxBackoffMs` (default `everyMs`). */
  minBackoffMs?: number;
  maxBackoffMs?: number;
};

/**
 * Runs `run` again and again until `signal` aborts, never twice at the same time; the first run starts at once. A run
 * may return the milliseconds until the next one in place of `everyMs`. An error never ends the repetition.
 */
export async function repeat(run: () => Promise<number | undefined>, options: RepeatOptions): Promise<void> {
  const { everyMs, jitter = 0, signal, onError, minBackoffMs = 200, maxBackoffMs = everyMs } = options;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const pauseMs = (await run()) ?? everyMs;
      failures = 0;
      await sleep(pauseMs, { signal, jitter });
    } catch (error) {
      failures += 1;
      onError(error, failures);
      const backoffMs = Math.min(minBackoffMs * 2 ** failures, maxBackoffMs);
      await sleep(backoffMs * (0.5 + Math.random() / 2), { signal });
    }
  }
}
