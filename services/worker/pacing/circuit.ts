import {
  CircuitState,
  ConsecutiveBreaker,
  CountBreaker,
  circuitBreaker,
  handleWhen,
  type IBackoff,
  type IBreaker,
} from 'cockatiel';

export type CircuitStateName = 'closed' | 'half_open' | 'open';

export type Circuit = {
  state: () => CircuitStateName;
  /** Since when it has not been closed, by this machine's clock; null while it is. Probes that fail leave it. */
  openSince: () => Date | null;
  /** Milliseconds until a refresh may be sent; 0: now. While a probe is under way, when to see how it went. */
  waitMs: () => number;
  /** The same for a refresh that is then sent: after the pause only one at a time gets 0. */
  enter: () => number;
  /** Whether any call would be refused now: the pause is not over. */
  isPaused: () => boolean;
  /** Sends a call. Rejects without sending it while the circuit is open. */
  run: <T>(
    call: () => Promise<T>,
    isFailure: (answer: T) => boolean,
    isFault: (error: unknown) => boolean,
  ) => Promise<T>;
};

/** Rejects a call that was not sent. */
export class CircuitOpen extends Error {
  constructor() {
    super('the carrier has failed again and again, and is not asked until it had a pause');
    this.name = 'CircuitOpen';
  }
}

export type CircuitOptions = { firstPauseMs: number; longestPauseMs: number; onOpen: () => void; onClose: () => void };

const failuresInARow = 5;
const window = { threshold: 0.5, size: 20, minimumNumberOfCalls: 20 };
const probeMs = 5000;

/**
 * Opens at 5 failures in a row, or when more than half of the last 20 calls failed; lets one call through after a pause that doubles each
 * time, and closes when that succeeds.
 */
export function openCircuit(options: CircuitOptions): Circuit {
  const failed = new WeakSet<object>();
  let probeAtMs = 0;
  let probingUntilMs = 0;
  let openedAtMs: number | null = null;
  const policy = circuitBreaker(
    handleWhen((error) => typeof error === 'object' && error !== null && failed.has(error)).orWhenResult(
      (answer) => typeof answer === 'object' && answer !== null && failed.has(answer),
    ),
    { breaker: eitherBreaker(), halfOpenAfter: { next: () => pauseOf(0) } },
  );
  policy.onBreak(() => {
    probingUntilMs = 0;
    openedAtMs ??= Date.now();
    options.onOpen();
  });
  policy.onReset(() => {
    probingUntilMs = 0;
    openedAtMs = null;
    options.onClose();
  });

  function waitMs(): number {
    if (policy.state === CircuitState.Closed) return 0;
    const nowMs = Date.now();
    return Math.max(0, (isPaused() ? probeAtMs : probingUntilMs) - nowMs);
  }

  function isPaused(): boolean {
    return policy.state === CircuitState.Open && probeAtMs > Date.now();
  }

  function pauseOf(round: number): IBackoff<unknown> {
    const duration = Math.round(
      Math.min(options.longestPauseMs, options.firstPauseMs * 2 ** round) * (0.9 + 0.2 * Math.random()),
    );
    probeAtMs = Date.now() + duration;
    return { duration, next: () => pauseOf(round + 1) };
  }

  return {
    state: () => {
      if (policy.state === CircuitState.Closed) return 'closed';
      return policy.state === CircuitState.HalfOpen ? 'half_open' : 'open';
    },
    openSince: () => (openedAtMs === null ? null : new Date(openedAtMs)),
    waitMs,
    isPaused,
    enter: () => {
      const leftMs = waitMs();
      if (leftMs === 0 && policy.state !== CircuitState.Closed) probingUntilMs = Date.now() + probeMs;
      return leftMs;
    },
    run: async (call, isFailure, isFault) => {
      if (isPaused()) throw new CircuitOpen();
      return policy.execute(async () => {
        try {
          const answer = await call();
          if (typeof answer === 'object' && answer !== null && isFailure(answer)) failed.add(answer);
          return answer;
        } catch (error) {
          if (typeof error === 'object' && error !== null && isFault(error)) failed.add(error);
          throw error;
        }
      });
    },
  };
}

function eitherBreaker(): IBreaker {
  const breakers: IBreaker[] = [new ConsecutiveBreaker(failuresInARow), new CountBreaker(window)];
  return {
    state: null,
    success: (state) => {
      for (const breaker of breakers) breaker.success(state);
    },
    failure: (state) => breakers.map((breaker) => breaker.failure(state)).includes(true),
  };
}
