import { noFreeTimeRules } from '#shared/domain/free-time/terms.ts';
import type { RefreshOutcome } from '#shared/domain/record/shipment.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import type { SendWrites, Write } from '#shared/store/send-in-order.ts';
import { insertEventsOf, readEventsOf, supersedeEvents } from '#shared/store/tracking/events.ts';
import { insertUnreadableEventsOf } from '#shared/store/tracking/insert-unreadable-events.ts';
import { type ClaimKey, findValidClaims, lockClaims, lockClaimsAlone } from '#shared/store/tracking/lock-claims.ts';
import { finishClaims, insertRefreshes, type PollingOutcome } from '#shared/store/tracking/refreshes.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { type AccountRules, readFreeTimeRules } from '../free-time/free-time-rules.ts';
import { composeRefresh, draftRefresh, type RefreshDraft, type RefreshWrite } from './compose-refresh.ts';
import { predictShipment } from './predict-shipment.ts';
import {
  detailOf,
  type PreparedRefresh,
  pollingOutcomeOf,
  reasonOf,
  sourceOf,
  unreadableEventsOf,
  unreadableOf,
} from './prepare-refresh.ts';
import { addCarrierNumbers, changesOf, journeyWrites } from './publish-journeys.ts';

/** `stale`: the epoch had moved on or the lease had expired, so nothing was written. */
export type RecordedRefresh = {
  outcome: RefreshOutcome;
  stale: boolean;
  /** Events that could not be read for the first time. Absent: none. */
  newUnreadable?: number;
};

export type RefreshRecording = { accountId: string; refreshes: readonly PreparedRefresh[]; waits: boolean };

/** Nothing is composed. */
const noRules: AccountRules = () => noFreeTimeRules;

type Transaction = { tx: Tx; commitWith: SendWrites };

/** A refresh whose claim is locked, with the locked shipment and the transaction's time if it needed them. */
type LockedWrite = RefreshWrite & { end: PollingOutcome; nowUs: number | null };

/**
 * Records refreshes of one account, each of another shipment, in a transaction of two round trips: one locks the claims
 * and reads, one writes and commits. Returns what was recorded. A refresh is missing if its shipment was locked
 * elsewhere (without `waits`).
 */
export async function writeRefreshes(
  ctx: CoreContext,
  { tx, commitWith }: Transaction,
  { accountId, refreshes, waits }: RefreshRecording,
): Promise<Map<PreparedRefresh, RecordedRefresh>> {
  const drafts = refreshes.map((refresh) => draftRefresh(ctx, refresh));
  const composed = claimsOf(drafts, 'events').map(({ shipmentId }) => shipmentId);
  const [claims, alone, events, rules] = await Promise.all([
    lockClaims(tx, accountId, { claims: [...claimsOf(drafts, 'shipment'), ...claimsOf(drafts, 'events')], waits }),
    lockClaimsAlone(tx, accountId, { claims: claimsOf(drafts, 'nothing'), waits }),
    readEventsOf(tx, accountId, composed),
    // After the locks, on the same connection.
    composed.length === 0 ? noRules : readFreeTimeRules(ctx, tx, accountId),
  ]);
  const isLocked = ({ refresh: { subject } }: RefreshDraft) =>
    claims.has(subject.shipmentId) || alone.has(subject.shipmentId);
  const left = drafts.filter((draft) => !isLocked(draft));
  const valid = waits
    ? null
    : await findValidClaims(
        tx,
        accountId,
        left.map(({ refresh }) => refresh.subject),
      );
  const writes = drafts.filter(isLocked).flatMap((draft): LockedWrite[] => {
    const { shipmentId } = draft.refresh.subject;
    const { shipment = null, nowUs = null } = claims.get(shipmentId) ?? {};
    const write = composeRefresh(ctx, draft, { shipment, stored: events.get(shipmentId) ?? [], rules });
    return write === null ? [] : [{ ...write, end: endOf(write), nowUs }];
  });
  const newUnreadable = await writeAll(commitWith, accountId, writes);
  const recorded = writes.map(({ refresh, outcome }): [PreparedRefresh, RecordedRefresh] => {
    const added = newUnreadable.get(refresh.subject.shipmentId);
    return [refresh, { outcome, stale: false, ...(added === undefined ? {} : { newUnreadable: added }) }];
  });
  const stale = left
    .filter(({ refresh }) => valid?.has(refresh.subject.shipmentId) !== true)
    .map((draft): [PreparedRefresh, RecordedRefresh] => [
      draft.refresh,
      { outcome: draft.read === null ? draft.outcome : 'unchanged', stale: true },
    ]);
  return new Map([...recorded, ...stale]);
}

function claimsOf(drafts: readonly RefreshDraft[], needs: RefreshDraft['needs']): ClaimKey[] {
  return drafts
    .filter((draft) => draft.needs === needs)
    .map(({ refresh: { subject } }) => ({ shipmentId: subject.shipmentId, epoch: subject.epoch }));
}

function endOf({ refresh, outcome, schedule, readingHash }: RefreshWrite): PollingOutcome {
  return pollingOutcomeOf(refresh, { schedule, readingHash, changed: outcome === 'changed' });
}

/** Returns how many events of each shipment could not be read for the first time. */
async function writeAll(
  commitWith: SendWrites,
  accountId: string,
  writes: readonly LockedWrite[],
): Promise<ReadonlyMap<string, number>> {
  const publications = writes.flatMap(({ publication }) => publication ?? []);
  const changes = writes.flatMap(({ refresh: { subject }, publication, end, nowUs }) => {
    if (publication === null) return [];
    const { trackingSince } = subject;
    return changesOf(publication, predictShipment(publication, { end, trackingSince, nowUs: timeOf(nowUs) }));
  });
  let newUnreadable: ReadonlyMap<string, number> = new Map();
  await commitWith([
    (tx) =>
      finishClaims(
        tx,
        accountId,
        writes.map(({ refresh, end }) => ({ shipmentId: refresh.subject.shipmentId, ...end })),
      ),
    ...eventWrites(accountId, writes, (added) => {
      newUnreadable = added;
    }),
    (tx) => insertRefreshes(tx, accountId, writes.map(rowOf)),
    (tx) => addCarrierNumbers(tx, accountId, publications),
    ...(publications.length === 0 ? [] : journeyWrites(accountId, publications)),
    (tx) => appendChanges(tx, accountId, changes),
  ]);
  return newUnreadable;
}

function timeOf(nowUs: number | null): number {
  if (nowUs === null) throw new Error('a journey is published without its shipment being locked');
  return nowUs;
}

/** Set-aside events kept of one response. The refresh says how many there were. */
const maxUnreadable = 200;

function eventWrites(
  accountId: string,
  writes: readonly RefreshWrite[],
  onUnreadable: (added: ReadonlyMap<string, number>) => void,
): Write[] {
  const inserts = writes.flatMap(({ refresh, reading }) =>
    (reading?.inserts ?? []).map((event) => ({ ...event, shipmentId: refresh.subject.shipmentId })),
  );
  const superseded = writes.flatMap(({ refresh, reading }) =>
    (reading?.superseded ?? []).map((one) => ({ ...one, shipmentId: refresh.subject.shipmentId })),
  );
  const unreadable = writes.flatMap(({ refresh: { subject, result }, reading }) => {
    if (reading === null && result.outcome === 'found') return [];
    return unreadableEventsOf(result)
      .slice(0, maxUnreadable)
      .map((one) => ({ ...one, shipmentId: subject.shipmentId }));
  });
  return [
    (tx) => insertEventsOf(tx, accountId, inserts),
    (tx) => supersedeEvents(tx, accountId, superseded),
    async (tx) => onUnreadable(await insertUnreadableEventsOf(tx, accountId, unreadable)),
  ];
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
