import { sleep } from '#shared/async/sleep.ts';
import type { Budget, Reservation } from './budget.ts';

const tries = 5;
const pauseMs = 1000;

/**
 * Reserves a call that a person waits for. Tries for some seconds: a budget store that responds again has calls left
 * that this worker didn't know of.
 */
export async function reserveOne(reserve: Budget['reserve'], signal: AbortSignal): Promise<Reservation> {
  for (let count = 1; ; count += 1) {
    const reservation = await reserve(1, { priority: true });
    if (reservation.granted > 0 || count === tries || signal.aborted) return reservation;
    await sleep(Math.min(reservation.waitMs, pauseMs), { signal });
  }
}
