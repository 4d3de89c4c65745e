export type DependencyWatch = {
  /** Checks whether the dependency serves: a consumer that loses its queue waits and reports nothing. */
  check: () => Promise<undefined>;
  /** Returns the reason why this worker can't take jobs, or null. */
  obstacle: () => string | null;
};

/** A restart of a dependency takes less, and must not take every worker out of service at once. */
const toleratedMs = 5000;

/**
 * Watches the queue or the database. `findFault` returns what is wrong with it in words that follow "has been", such as
 * `unavailable`. Null: it serves.
 */
export function createDependencyWatch(
  name: 'queue' | 'database',
  findFault: () => Promise<string | null>,
  nowMs: () => number = () => performance.now(),
): DependencyWatch {
  let since: { fault: string; atMs: number } | null = null;
  return {
    check: async () => {
      const fault = await findFault();
      since = fault === null ? null : { fault, atMs: since?.atMs ?? nowMs() };
      return undefined;
    },
    obstacle: () => {
      if (since === null) return null;
      const forMs = nowMs() - since.atMs;
      return forMs < toleratedMs ? null : `the ${name} has been ${since.fault} for ${Math.round(forMs / 1000)} s`;
    },
  };
}
