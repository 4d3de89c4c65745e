import { isUnavailable } from '#shared/domain/errors.ts';
import { isUnstorable } from '#shared/store/store-errors.ts';
import { finishUnchanged, type UnchangedRefresh } from '#shared/store/system/tracking/batched-refreshes.ts';
import { withAccountByKey, withSystemByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import {
  changesTracking,
  type PreparedRefresh,
  pollingOutcomeOf,
  reasonOf,
  scheduleNextRefresh,
} from './prepare-refresh.ts';
import { asNotRecorded, asUnstorable } from './unrecorded-results.ts';
import { type RecordedRefresh, writeRefreshes } from './write-refreshes.ts';

export type { RecordedRefresh, UnchangedRefresh };

/** The row of a refresh that changes nothing visible; null: it does, and `recordRefreshes` has to record it. */
export function asUnchanged(ctx: CoreContext, refresh: PreparedRefresh): UnchangedRefresh | null {
  const { subject, result, hasEligibleEvent, isSameReading } = refresh;
  if (hasEligibleEvent || !(result.outcome === 'unchanged' || isSameReading)) return null;
  if (reasonOf(result) !== null) return null;
  const schedule = scheduleNextRefresh(ctx, refresh, { journey: subject.journey, outcome: 'unchanged' });
  if (changesTracking(subject, schedule)) return null;
  const outcome = pollingOutcomeOf(refresh, { schedule, readingHash: null, changed: false });
  const { epoch, nextRefreshInS, staleInS, answerHash, source, traceId, traceKept } = outcome;
  const { accountId, shipmentId } = subject;
  const { httpStatus, durationMs } = result;
  return {
    accountId,
    shipmentId,
    epoch,
    nextRefreshInS,
    staleInS,
    answerHash,
    source,
    traceId,
    traceKept,
    httpStatus,
    durationMs,
  };
}

/**
 * Records unchanged refreshes of any accounts in one statement. Returns whether each was recorded; one that was not is
 * left to `recordRefreshes`, because its claim is over or its row is locked.
 */
export async function recordUnchanged(ctx: CoreContext, rows: readonly UnchangedRefresh[]): Promise<boolean[]> {
  // A statement updates a row once; of two epochs of one shipment only one can be live.
  const byShipment = new Map(rows.map((row) => [row.shipmentId, row]));
  const finished = await withSystemByKey(ctx.store, (tx) => finishUnchanged(tx, [...byShipment.values()]));
  return rows.map((row) => finished.has(row.shipmentId) && byShipment.get(row.shipmentId) === row);
}

/**
 * Records refreshes, those of one account in one transaction, and returns a result for each. A refresh whose shipment
 * is locked, or whose transaction failed, is recorded again in a transaction of its own.
 */
export function recordRefreshes(ctx: CoreContext, refreshes: readonly PreparedRefresh[]): Promise<RecordedRefresh>[] {
  const byAccount = Map.groupBy(refreshes, ({ subject }) => subject.accountId);
  const recorded = new Map([...byAccount].map(([accountId, own]) => [accountId, recordTogether(ctx, accountId, own)]));
  return refreshes.map(
    async (refresh) => (await recorded.get(refresh.subject.accountId))?.get(refresh) ?? recordAlone(ctx, refresh),
  );
}

async function recordTogether(
  ctx: CoreContext,
  accountId: string,
  own: readonly PreparedRefresh[],
): Promise<ReadonlyMap<PreparedRefresh, RecordedRefresh>> {
  // Two epochs of one shipment must not share a transaction.
  const refreshes = [...new Map(own.map((refresh) => [refresh.subject.shipmentId, refresh])).values()];
  if (refreshes.length === 1) return new Map();
  try {
    return await withAccountByKey(ctx.store, accountId, (tx, commitWith) =>
      writeRefreshes(ctx, { tx, commitWith }, { accountId, refreshes, waits: false }),
    );
  } catch (error) {
    if (isUnavailable(error)) throw error;
    ctx.log.warn(
      { err: error, accountId, refreshes: refreshes.length },
      'recording a batch of refreshes failed; recording each one individually',
    );
    return new Map();
  }
}

/**
 * A reading that can't be recorded is recorded as unreadable, and any other refresh as an `internal_error`, so that its
 * shipment backs off. Throws LandfallError `unavailable` if the database is unavailable.
 */
async function recordAlone(ctx: CoreContext, refresh: PreparedRefresh): Promise<RecordedRefresh> {
  const { accountId, shipmentId } = refresh.subject;
  const record = async (one: PreparedRefresh): Promise<RecordedRefresh> => {
    const recorded = await withAccountByKey(ctx.store, accountId, (tx, commitWith) =>
      writeRefreshes(ctx, { tx, commitWith }, { accountId, refreshes: [one], waits: true }),
    );
    return recorded.get(one) ?? { outcome: 'error', stale: true };
  };
  const failed = (error: unknown, message: string): void => {
    if (isUnavailable(error)) throw error;
    ctx.log.error({ err: error, shipmentId, accountId }, message);
  };
  try {
    return await record(refresh);
  } catch (error) {
    failed(error, 'recording a refresh failed');
    if (refresh.result.outcome === 'found' && isReadingsFault(error)) {
      try {
        return await record(asUnstorable(refresh));
      } catch (again) {
        failed(again, 'recording an unreadable refresh failed');
      }
    }
    return record(asNotRecorded(refresh));
  }
}

/** Composing a journey throws only for values that no connector should have let through. */
function isReadingsFault(error: unknown): boolean {
  return isUnstorable(error) || error instanceof RangeError || error instanceof TypeError;
}
