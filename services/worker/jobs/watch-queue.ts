import type { CoreLog } from '#shared/core/core-context.ts';
import { repeatJob } from './repeat-job.ts';

export type QueueWatch = {
  /** Why this worker cannot take jobs, or null while it can. */
  obstacle: () => string | null;
  /** Ends with `signal`. */
  ended: Promise<void>;
};

export type QueueWatchOptions = {
  /** Asks the queue something; false when it does not answer. */
  reaches: () => Promise<boolean>;
  signal: AbortSignal;
  log: CoreLog;
  /** Only a test has other ones. */
  limits?: { intervalMs: number; tolerateMs: number };
  nowMs?: () => number;
};

/** A restart of the queue takes less, and must not take every worker out of service at once. */
const defaultLimits = { intervalMs: 1000, tolerateMs: 5000 };

/** Asks the queue whether it is there, again and again: consumers do not tell when they lose it, they wait. */
export function watchQueue({
  reaches,
  signal,
  log,
  limits = defaultLimits,
  nowMs = () => performance.now(),
}: QueueWatchOptions): QueueWatch {
  let awaySinceMs: number | null = null;
  const ended = repeatJob({
    name: 'the watch for the queue',
    signal,
    log,
    longestPauseMs: limits.intervalMs,
    run: async () => {
      const isThere = await reaches();
      awaySinceMs = isThere ? null : (awaySinceMs ?? nowMs());
      return limits.intervalMs;
    },
  });
  return {
    ended,
    obstacle: () => {
      const awayMs = awaySinceMs === null ? 0 : nowMs() - awaySinceMs;
      return awaySinceMs === null || awayMs < limits.tolerateMs
        ? null
        : `the queue has been away for ${Math.round(awayMs / 1000)} s`;
    },
  };
}
