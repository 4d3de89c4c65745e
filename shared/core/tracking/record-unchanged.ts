import { finishUnchanged, type UnchangedRefresh } from '#shared/store/system/unchanged-refreshes.ts';
import { withSystemByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { answerHashOf, type Work } from './fetched-refresh.ts';
import { pollingOutcomeOf, scheduleNextRefresh } from './schedule-next-refresh.ts';

/** A refresh that found what was known and changes nothing that anybody sees, as it is written. */
export type QuietRefresh = { work: Work; row: UnchangedRefresh };

/** Null: there is news, or the tracking state changes; `recordRefreshes` takes it. */
export function asQuietRefresh(work: Work): QuietRefresh | null {
  const { subject, refresh, eligible, isSameReading, traceId } = work;
  if (eligible || !(refresh.outcome === 'unchanged' || isSameReading)) return null;
  const plan = scheduleNextRefresh(work, { journey: subject.journey, outcome: 'unchanged' });
  if (plan.state !== subject.polling.state || plan.reason !== subject.polling.reason) return null;
  const { epoch, nextRefreshInS, staleInS, answerHash, source } = pollingOutcomeOf(work, {
    plan,
    readingHash: null,
    answerHash: answerHashOf(refresh),
    changed: false,
    traceId,
  });
  const { accountId, shipmentId } = subject;
  const { httpStatus, durationMs } = refresh;
  return {
    work,
    row: {
      accountId,
      shipmentId,
      epoch,
      nextRefreshInS,
      staleInS,
      answerHash,
      source,
      traceId,
      httpStatus,
      durationMs,
    },
  };
}

/**
 * Records refreshes without news together, those of all accounts in one statement. Tells of each whether it was recorded; what was not is for
 * `recordRefreshes`: its claim is over, or somebody holds its row.
 */
export async function recordUnchanged(ctx: CoreContext, refreshes: readonly QuietRefresh[]): Promise<boolean[]> {
  // A shipment twice, at two epochs: only one of them can be live, and a statement updates a row once.
  const rows = new Map(refreshes.map(({ row }) => [row.shipmentId, row]));
  const finished = await withSystemByKey(ctx.store, (tx) => finishUnchanged(tx, [...rows.values()]));
  return refreshes.map(({ row }) => finished.has(row.shipmentId) && rows.get(row.shipmentId) === row);
}
