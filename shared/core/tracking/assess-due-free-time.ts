import { postponeFreeTime } from '#shared/store/free-time/free-time-at.ts';
import { findFreeTimeDue, markReplacedTerms } from '#shared/store/free-time/free-time-due.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { recomposeFound } from './recompose-journeys.ts';

/** Shipments per call. Each account is one transaction, which locks its rows. */
export const assessBatchSize = 100;
const markBatchSize = 1000;

/**
 * Assesses the free time of shipments that are due: a day at the terminal has passed, or their terms were replaced.
 * Publishes what changes. Handles up to `assessBatchSize` shipments and returns how many there were. A record that can't
 * be composed is left for a day and delays no other. Any number of processes may call it at the same time.
 */
export async function assessDueFreeTime(ctx: CoreContext): Promise<number> {
  const { due, dropped } = await withSystem(ctx.store, (tx) => findFreeTimeDue(tx, assessBatchSize));
  const found = Map.groupBy(due, ({ accountId }) => accountId);
  const ids = new Map([...found].map(([accountId, own]) => [accountId, own.map(({ shipmentId }) => shipmentId)]));
  return dropped + (await recomposeFound(ctx, ids, postponeFreeTime));
}

/** Makes the next shipments due whose terms were replaced. False: no terms are left to mark. */
export function markReplacedFreeTimeTerms(ctx: CoreContext, limit: number = markBatchSize): Promise<boolean> {
  return withSystem(ctx.store, (tx) => markReplacedTerms(tx, limit));
}
