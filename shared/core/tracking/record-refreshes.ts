import { LandfallError } from '#shared/domain/errors.ts';
import type { RefreshOutcome } from '#shared/domain/shipments/shipment.ts';
import { isUnstorable } from '#shared/store/store-errors.ts';
import { finishUnchanged, type UnchangedRefresh } from '#shared/store/system/batched-refreshes.ts';
import { insertEventsOf, readEventsOf, supersedeEvents } from '#shared/store/tracking/events.ts';
import { lockShipments } from '#shared/store/tracking/journeys.ts';
import { finishClaims, insertRefreshes } from '#shared/store/tracking/refreshes.ts';
import { insertRejectedEventsOf } from '#shared/store/tracking/rejected-events.ts';
import { type Tx, withAccountByKey, withSystemByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { composeRefresh, draftRefresh, type RefreshDraft, type RefreshWrite } from './compose-refresh.ts';
import {
  changesTracking,
  detailOf,
  type PreparedRefresh,
  pollingOutcomeOf,
  reasonOf,
  scheduleNextRefresh,
  setAsideOf,
  sourceOf,
  unreadableOf,
} from './prepare-refresh.ts';
import { addCarrierContainers, publishJourneys } from './publish-journeys.ts';
import { asNotRecorded, asUnstorable } from './stand-in-result.ts';

export type { UnchangedRefresh };

/** `stale`: the epoch had moved on or the lease had expired, so nothing was written. */
export type RecordedRefresh = {
  outcome: RefreshOutcome;
  stale: boolean;
  /** Events that were set aside for the first time. Absent: none. */
  setAside?: number;
};

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
    return await withAccountByKey(ctx.store, accountId, (tx) =>
      recordIn(ctx, tx, { accountId, refreshes, waits: false }),
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
    const recorded = await withAccountByKey(ctx.store, accountId, (tx) =>
      recordIn(ctx, tx, { accountId, refreshes: [one], waits: true }),
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

function isUnavailable(error: unknown): boolean {
  return error instanceof LandfallError && error.code === 'unavailable';
}

type Recording = { accountId: string; refreshes: readonly PreparedRefresh[]; waits: boolean };

/** Returns what was recorded. A refresh is missing if its shipment was locked (without `waits`) or is gone. */
async function recordIn(
  ctx: CoreContext,
  tx: Tx,
  { accountId, refreshes, waits }: Recording,
): Promise<Map<PreparedRefresh, RecordedRefresh>> {
  const drafts = refreshes.map((refresh) => draftRefresh(ctx, refresh));
  const withShipment = idsOf(drafts.filter(({ needs }) => needs !== 'nothing'));
  const shipments = await lockShipments(tx, accountId, { ids: withShipment, waits });
  const withEvents = idsOf(drafts.filter(({ needs }) => needs === 'events')).filter((id) => shipments.has(id));
  const events = await readEventsOf(tx, accountId, withEvents);
  const writes = drafts.flatMap((draft) => {
    const { shipmentId } = draft.refresh.subject;
    const stored = events.get(shipmentId) ?? [];
    return composeRefresh(ctx, draft, { shipment: shipments.get(shipmentId) ?? null, stored }) ?? [];
  });
  const finished = await finishClaims(tx, accountId, writes.map(endOf));
  // Fencing: nothing else is written for a claim that is over.
  const live = writes.filter(({ refresh }) => finished.has(refresh.subject.shipmentId));
  const setAside = await writeEvents(tx, accountId, live);
  await insertRefreshes(tx, accountId, live.map(rowOf));
  const publications = live.flatMap(({ publication }) => publication ?? []);
  await addCarrierContainers(tx, accountId, publications);
  await publishJourneys(tx, accountId, publications);
  return new Map(
    writes.map(({ refresh, outcome }) => {
      const { shipmentId } = refresh.subject;
      const added = setAside.get(shipmentId);
      const stale = !finished.has(shipmentId);
      return [refresh, { outcome, stale, ...(added === undefined ? {} : { setAside: added }) }];
    }),
  );
}

function idsOf(drafts: readonly RefreshDraft[]): string[] {
  return drafts.map(({ refresh }) => refresh.subject.shipmentId);
}

function endOf({ refresh, outcome, schedule, readingHash }: RefreshWrite) {
  const end = pollingOutcomeOf(refresh, { schedule, readingHash, changed: outcome === 'changed' });
  return { shipmentId: refresh.subject.shipmentId, ...end };
}

/** Set-aside events kept of one response. The refresh says how many there were. */
const maxSetAside = 200;

/** Returns how many events of each shipment were set aside for the first time. */
async function writeEvents(
  tx: Tx,
  accountId: string,
  writes: readonly RefreshWrite[],
): Promise<ReadonlyMap<string, number>> {
  const inserts = writes.flatMap(({ refresh, reading }) =>
    (reading?.inserts ?? []).map((event) => ({ ...event, shipmentId: refresh.subject.shipmentId })),
  );
  await insertEventsOf(tx, accountId, inserts);
  await supersedeEvents(
    tx,
    accountId,
    writes.flatMap(({ refresh, reading }) =>
      (reading?.superseded ?? []).map((one) => ({ ...one, shipmentId: refresh.subject.shipmentId })),
    ),
  );
  const rejected = writes.flatMap(({ refresh: { subject, result }, reading }) => {
    if (reading === null && result.outcome === 'found') return [];
    return setAsideOf(result)
      .slice(0, maxSetAside)
      .map((one) => ({ ...one, shipmentId: subject.shipmentId }));
  });
  return insertRejectedEventsOf(tx, accountId, rejected);
}

function rowOf({ refresh: { subject, result, traceId, traceKept }, outcome, reading }: RefreshWrite) {
  return {
    shipmentId: subject.shipmentId,
    outcome,
    eventsAdded: reading?.inserts.length ?? 0,
    reason: reasonOf(result),
    httpStatus: result.httpStatus,
    durationMs: result.durationMs,
    source: sourceOf(result),
    traceId,
    traceKept,
    detail: detailOf(result),
    unreadable: result.outcome === 'unchanged' ? ('as_last_reading' as const) : unreadableOf(result),
  };
}
