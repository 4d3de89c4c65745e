export type JobWatch = {
  /** Returns `run`, watched. Without an end after `maxRunMs`, the job counts as stuck. */
  watch: <Result>(job: { name: string; maxRunMs: number }, run: () => Promise<Result>) => () => Promise<Result>;
  /** Returns which job is stuck, or null. */
  fault: () => string | null;
};

/**
 * Notices a periodic job whose run never ends: it reports no error, and no later run of it starts. Only a restart of the
 * process helps.
 */
export function openJobWatch(nowMs: () => number = () => performance.now()): JobWatch {
  const running = new Map<string, { startedMs: number; maxRunMs: number }>();
  return {
    watch:
      ({ name, maxRunMs }, run) =>
      async () => {
        running.set(name, { startedMs: nowMs(), maxRunMs });
        try {
          return await run();
        } finally {
          running.delete(name);
        }
      },
    fault: () => {
      for (const [name, { startedMs, maxRunMs }] of running) {
        const forMs = nowMs() - startedMs;
        if (forMs > maxRunMs) return `the periodic job ${name} has not ended for ${Math.round(forMs / 1000)} s`;
      }
      return null;
    },
  };
}
