/** Places for calls to one carrier at the same time: as many as it bears, and never more than `most`. */
export type RefreshConcurrency = {
  /** Runs `work` when there is a place; `first` goes before the rest, of which every fourth place is all the same. */
  run: <T>(work: () => Promise<T>, options?: { first?: boolean }) => Promise<T>;
  places: () => number;
};

export type RefreshConcurrencyOptions = {
  most: number;
  /** Monotonic milliseconds. */
  now?: () => number;
};

const fewest = 2;
const begins = 8;
/** Calls that take this many times the shortest ones wait for each other at the carrier. */
const slowFactor = 3;
/** Below this a difference is this machine's own. */
const noiseMs = 20;
const smoothing = 0.1;
/** The shortest is forgotten slowly: a carrier may have become slower for good. */
const forgetting = 1.002;
/** Calls that go first, one after the other, before one that does not. */
const hurriedAtMost = 3;

/**
 * Adds a place for each round of calls that are about as fast as the fastest, and takes a tenth away while they are slow: what waits at the
 * carrier does not become faster by more of it.
 */
export function openRefreshConcurrency({
  most,
  now = () => performance.now(),
}: RefreshConcurrencyOptions): RefreshConcurrency {
  const hurried: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  let hurriedInARow = 0;
  let places = Math.min(begins, most);
  let taken = 0;
  let shortestMs = Number.POSITIVE_INFINITY;
  let usualMs = 0;
  let heldUntilMs = 0;

  const adapt = (durationMs: number, wasFull: boolean): void => {
    shortestMs = Math.min(shortestMs * forgetting, durationMs);
    usualMs = usualMs === 0 ? durationMs : usualMs + (durationMs - usualMs) * smoothing;
    if (usualMs > shortestMs * slowFactor + noiseMs) {
      // Once for all calls that were under way together.
      if (now() < heldUntilMs) return;
      heldUntilMs = now() + usualMs;
      places = Math.max(Math.min(fewest, most), places * 0.9);
    } else if (wasFull) {
      places = Math.min(most, places + 1 / places);
    }
  };
  /** Whoever is always put off would lose the time of its job. */
  const takeTurn = (): (() => void) | undefined => {
    const isHurried = waiting.length === 0 || (hurried.length > 0 && hurriedInARow < hurriedAtMost);
    hurriedInARow = isHurried ? hurriedInARow + 1 : 0;
    return (isHurried ? hurried : waiting).shift();
  };
  const next = (): void => {
    while (hurried.length + waiting.length > 0 && taken < Math.floor(places)) {
      taken += 1;
      takeTurn()?.();
    }
  };

  return {
    places: () => Math.floor(places),
    run: async (work, { first = false } = {}) => {
      const { promise: turn, resolve } = Promise.withResolvers<void>();
      (first ? hurried : waiting).push(resolve);
      next();
      await turn;
      const wasFull = taken >= Math.floor(places);
      const startedAtMs = now();
      try {
        return await work();
      } finally {
        taken -= 1;
        adapt(now() - startedAtMs, wasFull);
        next();
      }
    },
  };
}
