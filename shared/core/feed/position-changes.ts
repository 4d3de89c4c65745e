import { positionWaitingChanges } from '#shared/store/system/position-changes.ts';
import type { CoreContext } from '../core-context.ts';

/** Rows that one transaction gives a position; more would hold its locks for too long. */
export const positionBatchSize = 5000;

/**
 * Gives committed changes their place in the feed, at most `positionBatchSize`; any process may call it at any time. Gives how many there
 * were, or null when another process is just doing it.
 */
export function positionChanges(ctx: CoreContext): Promise<number | null> {
  return positionWaitingChanges(ctx.store, positionBatchSize);
}
