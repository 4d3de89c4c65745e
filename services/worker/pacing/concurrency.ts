import { pacing } from './pacing.ts';

/** Limits the calls in flight to one carrier. */
export type Concurrency = {
  /** Runs `work` when a call may start. `first` takes precedence, but leaves every fourth start to the others. */
  run: <T>(work: () => Promise<T>, options?: { first?: boolean }) => Promise<T>;
  /** Calls that may be in flight now. */
  limit: () => number;
};

export type ConcurrencyOptions = {
  maxCalls: number;
  /** Monotonic milliseconds. */
  now?: () => number;
};

const { minCalls, firstCalls, slowFactor, noiseMs, smoothing, forgetting, decrease, maxFirstInARow } =
  pacing.concurrency;

/** One limit per connector, so that a slow carrier doesn't take calls away from the others. */
export function openConcurrencies<Code>(options: ConcurrencyOptions): (connector: Code) => Concurrency {
  const opened = new Map<Code, Concurrency>();
  return (connector) => {
    const concurrency = opened.get(connector) ?? openConcurrency(options);
    opened.set(connector, concurrency);
    return concurrency;
  };
}

/**
 * Adds one call per round while calls take about as long as the fastest, and removes a tenth while they are slow: more
 * calls in flight only wait at the carrier.
 */
export function openConcurrency({ maxCalls, now = () => performance.now() }: ConcurrencyOptions): Concurrency {
  const firsts: (() => void)[] = [];
  const others: (() => void)[] = [];
  let firstsInARow = 0;
  let limit = Math.min(firstCalls, maxCalls);
  let inFlight = 0;
  let fastestMs = Number.POSITIVE_INFINITY;
  let usualMs = 0;
  let heldUntilMs = 0;

  const adapt = (durationMs: number, wasFull: boolean): void => {
    fastestMs = Math.min(fastestMs * forgetting, durationMs);
    usualMs = usualMs === 0 ? durationMs : usualMs + (durationMs - usualMs) * smoothing;
    if (usualMs > fastestMs * slowFactor + noiseMs) {
      // Once for all calls that were in flight together.
      if (now() < heldUntilMs) return;
      heldUntilMs = now() + usualMs;
      limit = Math.max(Math.min(minCalls, maxCalls), limit * decrease);
    } else if (wasFull) {
      limit = Math.min(maxCalls, limit + 1 / limit);
    }
  };
  const takeNext = (): (() => void) | undefined => {
    const isFirst = others.length === 0 || (firsts.length > 0 && firstsInARow < maxFirstInARow);
    firstsInARow = isFirst ? firstsInARow + 1 : 0;
    return (isFirst ? firsts : others).shift();
  };
  const startNext = (): void => {
    while (firsts.length + others.length > 0 && inFlight < Math.floor(limit)) {
      inFlight += 1;
      takeNext()?.();
    }
  };

  return {
    limit: () => Math.floor(limit),
    run: async (work, { first = false } = {}) => {
      const { promise: started, resolve } = Promise.withResolvers<void>();
      (first ? firsts : others).push(resolve);
      startNext();
      await started;
      const wasFull = inFlight >= Math.floor(limit);
      const startedAtMs = now();
      try {
        return await work();
      } finally {
        inFlight -= 1;
        adapt(now() - startedAtMs, wasFull);
        startNext();
      }
    },
  };
}
