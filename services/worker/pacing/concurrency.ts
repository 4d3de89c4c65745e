import { pacing } from './pacing.ts';

/** Limits the calls in flight to one carrier. */
export type Concurrency = {
  /**
   * Runs `work` when a call may start. `first` takes precedence, but leaves every fourth start to the others.
   * `isAnswer`: whether the carrier answered; default: unless `work` rejects.
   */
  run: <T>(work: () => Promise<T>, options?: RunOptions<T>) => Promise<T>;
  /** Calls that may be in flight now. */
  limit: () => number;
};

export type RunOptions<T> = { first?: boolean; isAnswer?: (result: T) => boolean };

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

  const adapt = (durationMs: number, { wasFull, isAnswer }: { wasFull: boolean; isAnswer: boolean }): void => {
    const isSlow = (ms: number): boolean => ms > fastestMs * slowFactor + noiseMs;
    // A refused connection, or a call that an open circuit rejects, takes no time. As the fastest call, it would make all
    // later ones look slow. A failure that takes long is a carrier under load.
    if (!isAnswer && !isSlow(durationMs)) return;
    if (isAnswer) fastestMs = Math.min(fastestMs * forgetting, durationMs);
    usualMs = usualMs === 0 ? durationMs : usualMs + (durationMs - usualMs) * smoothing;
    if (isSlow(usualMs)) {
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
    run: async (work, { first = false, isAnswer = () => true } = {}) => {
      const { promise: started, resolve } = Promise.withResolvers<void>();
      (first ? firsts : others).push(resolve);
      startNext();
      await started;
      const wasFull = inFlight >= Math.floor(limit);
      const startedAtMs = now();
      let answered = false;
      try {
        const result = await work();
        answered = isAnswer(result);
        return result;
      } finally {
        inFlight -= 1;
        adapt(now() - startedAtMs, { wasFull, isAnswer: answered });
        startNext();
      }
    },
  };
}
