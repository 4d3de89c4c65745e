/** The error to reject with when the time is up, or the message of a `TimeoutError`. */
export type LateError = string | (() => Error);

export type RunWithinOptions = {
  timeoutMs: number;
  /** End the work as well. The first one that aborts gives the reason. */
  signals?: readonly AbortSignal[];
  late: LateError;
  /** Waits for the work after its signal aborted, for work that obeys its signal and has an error of its own. */
  waitsForWork?: boolean;
};

/**
 * Settles as `work` does, or rejects after `timeoutMs`. The work itself goes on, and a rejection that comes late is
 * handled here.
 */
export function withDeadline<T>(work: Promise<T>, timeoutMs: number, late: LateError): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(errorOf(late)), timeoutMs);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/**
 * Runs `work` with a signal that aborts after `timeoutMs` or with one of `signals`, and rejects at that moment, even if
 * the work ignores its signal. Unlike `AbortSignal.any` and `AbortSignal.timeout`, it leaves no timer or listener
 * behind when the work is done.
 */
export function runWithin<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signals = [], late, waitsForWork = false }: RunWithinOptions,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const ending = new AbortController();
    const release = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', endBySignal);
    };
    const end = (reason: unknown): void => {
      release();
      if (!waitsForWork) reject(reason);
      ending.abort(reason);
    };
    const endBySignal = ({ target }: Event): void => end((target as AbortSignal).reason);
    const timer = setTimeout(() => end(errorOf(late)), timeoutMs);
    for (const signal of signals) signal.addEventListener('abort', endBySignal);
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted !== undefined) end(aborted.reason);
    // An async function, because an error that `work` throws must not leave the timer behind either.
    (async () => work(ending.signal))().then(
      (value) => {
        release();
        resolve(value);
      },
      (error: unknown) => {
        release();
        reject(error);
      },
    );
  });
}

/** True if `work` settles, either way, within `timeoutMs`. */
export function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    const settle = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    work.then(settle, settle);
  });
}

function errorOf(late: LateError): Error {
  return typeof late === 'string' ? new DOMException(late, 'TimeoutError') : late();
}
