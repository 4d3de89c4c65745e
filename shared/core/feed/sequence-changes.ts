import { onCommittedChanges } from '#shared/store/feed/committed-changes.ts';
import { sequenceWaitingChanges } from '#shared/store/system/sequence-changes.ts';
import type { CoreContext } from '../core-context.ts';

/** Rows per transaction. More would hold its locks for too long. */
export const sequenceBatchSize = 5000;

/**
 * Gives committed changes their sequence in the feed, at most `sequenceBatchSize` of them. Any process may call it at
 * any time. Returns how many there were, or null when another process is doing it. `onSequenced` is called with the
 * accounts of those, if there were any.
 */
export async function sequenceChanges(
  ctx: CoreContext,
  onSequenced?: (accountIds: readonly string[]) => void,
): Promise<number | null> {
  const sequenced = await sequenceWaitingChanges(ctx.store, sequenceBatchSize);
  if (sequenced === null) return null;
  if (sequenced.count > 0) onSequenced?.(sequenced.accountIds);
  return sequenced.count;
}

/** Calls the listener after each transaction of this process that committed changes. They wait for a sequence then. */
export function onChangesWaiting(ctx: CoreContext, listener: () => void): void {
  onCommittedChanges(ctx.store, listener);
}
