export type SleepOptions = {
  /** Ends the sleep early. */
  signal?: AbortSignal | null;
  /** Share of the time, from 0 to 1, by which a sleep may be shorter or longer. */
  jitter?: number;
};

/** Resolves after `forMs`, or as soon as `signal` aborts. Never rejects. */
export function sleep(forMs: number, { signal, jitter = 0 }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, jitter === 0 ? forMs : jittered(forMs, jitter));
    signal?.addEventListener('abort', end);
  });
}

/** A random time around `ms`, so that processes which started together don't stay in step. */
export function jittered(ms: number, jitter: number): number {
  return ms * (1 + jitter * (2 * Math.random() - 1));
}
