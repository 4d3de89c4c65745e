import { repeat } from '#shared/async/repeat.ts';
import type { CoreLog } from '#shared/core/core-context.ts';
import type { JobWatch } from './watch-jobs.ts';

/** A background job. Its first run starts at once, and it never runs twice at the same time in one process. */
export type PeriodicJob = {
  /** In the log. */
  name: string;
  everyMs: number;
  /** Share by which each pause may be shorter or longer, so that workers that started together don't stay in step. */
  jitter?: number;
  /** The pause after an error doubles up to this one. */
  maxBackoffMs: number;
  /** Default: 200. */
  minBackoffMs?: number;
  /** A run that takes longer never ends. Default: 15 minutes, several times the timeouts of what a run waits for. */
  maxRunMs?: number;
  /** May return the milliseconds until the next run in place of `everyMs`. */
  run: () => Promise<number | undefined>;
  /** Runs once, after the last run. */
  end?: () => Promise<void>;
};

const maxRunMs = 15 * 60_000;

/** Runs all jobs until `signal` and resolves when the last run has ended. An error is logged and never ends a job. */
export async function runPeriodicJobs(
  jobs: readonly PeriodicJob[],
  { signal, log, watch }: { signal: AbortSignal; log: CoreLog; watch: JobWatch['watch'] },
): Promise<void> {
  await Promise.all(
    jobs.map(async ({ name, run, end, maxRunMs: ownMaxRunMs = maxRunMs, ...pauses }) => {
      const onError = (error: unknown, failures: number): void =>
        log.warn({ err: error, job: name, failures }, 'periodic job failed; retrying');
      await repeat(watch({ name, maxRunMs: ownMaxRunMs }, run), { ...pauses, signal, onError });
      await end?.();
    }),
  );
}
