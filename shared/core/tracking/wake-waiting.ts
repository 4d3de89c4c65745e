import { deleteWake, lockNextWake } from '#shared/store/system/tracking/credential-wakes.ts';
import { makeWaitingDue } from '#shared/store/tracking/credential-wakes.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

const batchSize = 5000;
/** Longer than a worker keeps using replaced credentials plus the time to record a refresh. */
const keptS = 15;

/** Makes shipments due that wait for credentials which have changed, in batches. Returns how many. */
export async function wakeWaitingShipments(ctx: CoreContext, signal: AbortSignal): Promise<number> {
  let total = 0;
  let after: string | null = null;
  while (!signal.aborted) {
    const taken: { id: string; woken: number } | null = await withSystem(ctx.store, async (tx) => {
      const next = await lockNextWake(tx, after);
      if (next === null) return null;
      const woken = await makeWaitingDue(tx, next.wake, { limit: batchSize, sinceS: next.ageS });
      if (woken === 0 && next.ageS > keptS) await deleteWake(tx, next.id);
      return { id: next.id, woken };
    });
    if (taken === null) break;
    total += taken.woken;
    if (taken.woken < batchSize) after = taken.id;
  }
  return total;
}
