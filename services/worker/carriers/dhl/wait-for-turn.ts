import { sleep } from '#shared/async/sleep.ts';
import type { CarrierContext, CarrierSettings } from '../carrier.ts';
import { FetchFailure } from '../fetch-failure.ts';

/** New keys allow 250 calls a day and one call a second. */
const paceMs = 1100;

/**
 * When a set of credentials may make its next call, by this process's monotonic clock. DHL enforces the gap between
 * calls, not an average. The key is the settings object, which all refreshes with these credentials share; each refresh
 * has its own budget object.
 */
const nextCallAt = new WeakMap<CarrierSettings, number>();

/** Waits until these credentials may make another call. */
export async function waitForTurn({ settings, budget }: CarrierContext, signal: AbortSignal): Promise<void> {
  const now = performance.now();
  const turn = Math.max(now, nextCallAt.get(settings) ?? 0);
  // A call that the budget will refuse takes no turn.
  if (budget.free() > 0) nextCallAt.set(settings, turn + paceMs);
  if (turn === now) return;
  await sleep(turn - now, { signal });
  if (signal.aborted)
    throw new FetchFailure('carrier_rate_limited', 'other calls to this carrier are waiting', { retryAfterMs: paceMs });
}
