export type QueueWatch = {
  /** Checks whether the queue responds: a consumer that loses its queue waits and reports nothing. */
  check: () => Promise<undefined>;
  /** Returns the reason why this worker can't take jobs, or null. */
  obstacle: () => string | null;
};

/** A restart of the queue takes less, and must not take every worker out of service at once. */
const toleratedMs = 5000;

/** `reaches` queries the queue and returns false if it doesn't respond. */
export function createQueueWatch(
  reaches: () => Promise<boolean>,
  nowMs: () => number = () => performance.now(),
): QueueWatch {
  let unavailableSinceMs: number | null = null;
  return {
    check: async () => {
      const isReached = await reaches();
      unavailableSinceMs = isReached ? null : (unavailableSinceMs ?? nowMs());
      return undefined;
    },
    obstacle: () => {
      if (unavailableSinceMs === null) return null;
      const forMs = nowMs() - unavailableSinceMs;
      return forMs < toleratedMs ? null : `the queue has been unavailable for ${Math.round(forMs / 1000)} s`;
    },
  };
}
