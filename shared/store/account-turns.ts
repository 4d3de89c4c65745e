import { type FairQueue, fairQueue } from '#shared/async/fair-queue.ts';
import { LandfallError } from '#shared/domain/errors.ts';

/** Each holds its request in memory. */
const maxWaitingOfAccount = 250;
/** The same time as a pool waits for a connection. */
const maxWaitMs = 5000;
const retryAfterS = 5;

/**
 * Lets accounts take turns at the connections of a pool. An account holds all but one of them at most, so that a
 * connection is free for the next account, whatever the first one asks for.
 */
export function openAccountTurns(connections: number): FairQueue {
  return fairQueue({
    maxRunning: connections,
    maxRunningOfKey: Math.max(1, connections - 1),
    maxWaitingOfKey: maxWaitingOfAccount,
    maxWaitMs,
    refusal: (isOwnLoad) =>
      isOwnLoad
        ? new LandfallError(
            'account_busy',
            `Too many requests of this account are running at once. Send fewer in parallel and retry in ${retryAfterS} s.`,
            { retryAfterS },
          )
        : new LandfallError('unavailable', 'Service temporarily unavailable.', { retryAfterS: 2 }),
    // A request's own reason says more, and any other one would be reported as an unexpected error.
    cancellation: (reason) =>
      reason instanceof LandfallError
        ? reason
        : new LandfallError('unavailable', 'The request was cancelled before its turn.', { cause: reason }),
  });
}
