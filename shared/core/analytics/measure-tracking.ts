import { actOnEach } from '#shared/async/act-on-each.ts';
import { type AnalyticsKey, lockCursor } from '#shared/store/analytics/cursors.ts';
import { findUnmeasured, measureTracking } from '#shared/store/analytics/tracking-figures.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Maximum age of the kept state of open shipments. */
export const measureEveryMs = 5 * 60_000;
const accountsPerRun = 20;

/**
 * Counts how tracking of the open shipments goes, for accounts where that is `olderThanMs` ago, up to twenty per call.
 * Returns whether there may be more. An account that fails is thrown after the others. Any number of processes may call it at the same time.
 */
export async function measureTrackingHealth(
  ctx: CoreContext,
  { olderThanMs = measureEveryMs, signal }: { olderThanMs?: number; signal?: AbortSignal } = {},
): Promise<boolean> {
  const before = new Date(ctx.now().getTime() - olderThanMs).toISOString();
  const due = await withSystem(ctx.store, (tx) => findUnmeasured(tx, { before, limit: accountsPerRun }));
  const act = (key: AnalyticsKey) =>
    withAccount(ctx.store, key.accountId, async (tx) => {
      if ((await lockCursor(tx, key)) !== null) await measureTracking(tx, key);
    });
  await actOnEach({ items: due, act, signal });
  return due.length >= accountsPerRun && signal?.aborted !== true;
}
