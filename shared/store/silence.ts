import { LandfallError } from '#shared/domain/errors.ts';

export type Silence = {
  /** Throws LandfallError `unavailable` while the server answers nothing, so that nobody waits for it in a queue. */
  check: () => void;
  /** Counts an error if it says that the server did not answer. */
  note: (error: unknown) => void;
};

/** A request after it finds out whether the server answers again. */
const silentMs = 1000;

/**
 * Notices a server that is reached but answers nothing, such as while packets to it vanish. Idle connections close after
 * 30 s, so that it is not a single connection that a firewall has forgotten.
 */
export function openSilence(nowMs: () => number = () => performance.now()): Silence {
  let silentUntilMs = Number.NEGATIVE_INFINITY;
  return {
    check: () => {
      if (nowMs() < silentUntilMs)
        throw new LandfallError('unavailable', 'Service temporarily unavailable.', { retryAfterS: 2 });
    },
    note: (error) => {
      if (isSilence(error)) silentUntilMs = nowMs() + silentMs;
    },
  };
}

/** An overloaded pool, whose connections are busy, has another error. */
function isSilence(error: unknown): boolean {
  const { cause } = error instanceof LandfallError ? error : { cause: null };
  return cause instanceof Error && cause.message === 'Query read timeout';
}
