import { onCommittedChanges } from '#shared/store/feed/committed-changes.ts';
import { positionWaitingChanges } from '#shared/store/system/position-changes.ts';
import type { CoreContext } from '../core-context.ts';

/** Rows per transaction. More would hold its locks for too long. */
export const positionBatchSize = 5000;

/**
 * Gives committed changes their position in the feed, at most `positionBatchSize` of them. Any process may call it at
 * any time. Returns how many there were, or null when another process is doing it. `onPositioned` is called with the
 * accounts of those, if there were any.
 */
export async function positionChanges(
  ctx: CoreContext,
  onPositioned?: (accountIds: readonly string[]) => void,
): Promise<number | null> {
  const positioned = await positionWaitingChanges(ctx.store, positionBatchSize);
  if (positioned === null) return null;
  if (positioned.count > 0) onPositioned?.(positioned.accountIds);
  return positioned.count;
}

/** Calls the listener after each transaction of this process that committed changes. They wait for a position then. */
export function onChangesWaiting(ctx: CoreContext, listener: () => void): void {
  onCommittedChanges(ctx.store, listener);
}
