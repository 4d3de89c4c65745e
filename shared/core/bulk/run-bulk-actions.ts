import {
  type ActionOnEach,
  type BulkFailure,
  maxListedFailures,
  maxShipments,
  partSize,
  type StopReason,
} from '#shared/domain/bulk/bulk-action.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { resolveFilter } from '#shared/places/read-place.ts';
import { readBulkAccess } from '#shared/store/bulk/bulk-access.ts';
import { addNamedParts, stopBulkAction } from '#shared/store/bulk/bulk-actions.ts';
import { findOpenBulkActions } from '#shared/store/bulk/open-bulk-actions.ts';
import {
  finishPart,
  type LockedBulk,
  lockBulkAction,
  moveFinding,
  postponeBulkAction,
  readNextPart,
} from '#shared/store/bulk/run-parts.ts';
import { withinSavepoint } from '#shared/store/in-transaction.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { readShipmentPage } from '#shared/store/lists/shipment-list.ts';
import { isDatabaseUnavailable } from '#shared/store/store-errors.ts';
import { type Tx, withAccount, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { isLostRace, retryLostRaces } from '../retry-lost-races.ts';
import { refreshNow } from '../shipments/request-refresh.ts';
import { resumeTracking } from '../shipments/resume-shipment.ts';
import { runVerbIn, type VerbEffect, type VerbSubject } from '../shipments/run-verb.ts';
import { stopTracking } from '../shipments/stop-shipment.ts';
import { updateWith } from '../shipments/update-shipment.ts';
import { lostAccess } from './lost-access.ts';

const accountsPerRound = 16;
const foundPerStep = 500;

/**
 * Runs a step of one open bulk action of each account, and returns how many steps were made. A step finds 500 shipments
 * or changes 50, and commits with the progress: what a killed worker had not committed is done again. An action that
 * fails waits. One whose key or user may no longer start it is stopped.
 */
export async function runBulkActions(ctx: CoreContext, { signal }: { signal: AbortSignal }): Promise<number> {
  const open = await withSystem(ctx.store, (tx) => findOpenBulkActions(tx, accountsPerRound));
  let steps = 0;
  for (const place of open) {
    if (signal.aborted) break;
    try {
      if (await runStep(ctx, place)) steps += 1;
    } catch (error) {
      ctx.log.error({ err: error, bulkActionId: place.id }, 'bulk action failed; retrying later');
      // If the database is unavailable, this throws too.
      await withAccount(ctx.store, place.accountId, (tx) => postponeBulkAction(tx, place));
    }
  }
  return steps;
}

type Place = { accountId: string; id: string };

/** False: another worker has the action, or it has ended. */
async function runStep(ctx: CoreContext, place: Place): Promise<boolean> {
  const reason = lostAccess(await readBulkAccess(ctx.store, place));
  return retryLostRaces(() =>
    withAccount(ctx.store, place.accountId, async (tx) => {
      const bulk = await lockBulkAction(tx, place);
      if (bulk === null) return false;
      if (reason !== null) await stop(tx, place, reason);
      else if (bulk.state === 'finding') await findMore(tx, place, bulk);
      else await runPart(tx, ctx, { place, bulk });
      return true;
    }),
  );
}

async function stop(tx: Tx, place: Place, reason: StopReason): Promise<void> {
  await stopBulkAction(tx, place, reason);
  await appendAudit(tx, place.accountId, {
    actor: 'system',
    action: 'bulk_action.stopped',
    subjectType: 'bulk_action',
    subjectId: place.id,
    requestId: null,
    detail: { reason },
  });
}

/** Newest first: that order stays while the action changes shipments, and a shipment that comes later is not in it. */
async function findMore(tx: Tx, place: Place, bulk: LockedBulk): Promise<void> {
  const { accountId, id } = place;
  const room = maxShipments - bulk.total;
  const scope = { accountId, test: bulk.test, filter: resolveFilter(bulk.filter ?? {}) };
  const limit = Math.min(foundPerStep, room);
  const page = await readShipmentPage(tx, scope, {
    sort: '-created_at',
    limit,
    after: bulk.position,
    withEvents: false,
  });
  const shipmentIds = page.shipments.map((shipment) => shipment.id);
  await addNamedParts(tx, accountId, { id, size: partSize, shipmentIds });
  const isFull = shipmentIds.length >= room;
  await moveFinding(tx, place, { position: isFull ? null : page.next, isLimited: isFull && page.next !== null });
}

async function runPart(tx: Tx, ctx: CoreContext, { place, bulk }: { place: Place; bulk: LockedBulk }): Promise<void> {
  const part = await readNextPart(tx, place);
  if (part === null) throw new Error('a running bulk action has no part left');
  // Leaves refreshes to the sweep, which is fair among accounts.
  const withoutLeases = { ...ctx, settings: { ...ctx.settings, maxEagerLeases: 0 } };
  const caller = { accountId: place.accountId, test: bulk.test };
  const verb = verbOf(bulk.action);
  const change = (shipmentId: string) => runVerbIn(tx, withoutLeases, { caller, shipmentId }, verb);
  // In one order, so that two actions on the same shipments do not wait for each other.
  const ids = part.shipmentIds.toSorted();
  const outcomes = bulk.attempts === 0 ? await changeTogether(ids, change) : await changeOneByOne(tx, ids, change);
  const changedIds: string[] = [];
  const failures: BulkFailure[] = [];
  for (const [index, shipmentId] of ids.entries()) {
    const outcome = outcomes[index];
    if (outcome instanceof Error) failures.push({ shipmentId, ...failureOf(ctx, place, outcome) });
    else if (outcome === true || bulk.action.kind === 'refresh') changedIds.push(shipmentId);
  }
  await finishPart(tx, place, {
    number: part.number,
    processed: ids.length,
    changedIds,
    failed: failures.length,
    failures: failures.slice(0, Math.max(0, maxListedFailures - bulk.failures.length)),
  });
}

type Change = (shipmentId: string) => Promise<{ isChanged: boolean }>;
/** Result for one shipment: whether it was changed, or the error that refused it. */
type Outcome = boolean | Error;

/**
 * Interleaves the statements of all shipments, so that none waits for the others' round trips. What refuses a verb does so
 * before anything is written. Any other failure fails the part, which then runs one by one.
 */
async function changeTogether(ids: readonly string[], change: Change): Promise<Outcome[]> {
  // The first is the reason: PostgreSQL refuses every statement after it.
  const failures: unknown[] = [];
  const outcomeOf = async (id: string): Promise<Outcome> => {
    try {
      return (await change(id)).isChanged;
    } catch (error) {
      if (isRefusal(error)) return error;
      failures.push(error);
      return false;
    }
  };
  // All of them: a statement after the rollback would be outside the transaction.
  const outcomes = await Promise.all(ids.map(outcomeOf));
  if (failures.length > 0) throw failures[0];
  return outcomes;
}

/** A shipment that fails does not hold up the others. */
async function changeOneByOne(tx: Tx, ids: readonly string[], change: Change): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const id of ids) {
    try {
      outcomes.push((await withinSavepoint(tx, true, () => change(id))).isChanged);
    } catch (error) {
      if (isLostRace(error) || isDatabaseUnavailable(error) || !(error instanceof Error)) throw error;
      if (error instanceof LandfallError && !isRefusal(error)) throw error;
      outcomes.push(error);
    }
  }
  return outcomes;
}

function isRefusal(error: unknown): error is LandfallError {
  return error instanceof LandfallError && error.code !== 'unavailable';
}

function failureOf(ctx: CoreContext, { id }: Place, error: unknown): { code: string; detail: string } {
  if (error instanceof LandfallError) return { code: error.code, detail: error.message };
  ctx.log.error({ err: error, bulkActionId: id }, 'bulk action failed on a shipment');
  return { code: 'internal_error', detail: 'Internal error. Report the id of the bulk action and of the shipment.' };
}

/** Does to one shipment what its own operation does. */
function verbOf(action: ActionOnEach): (subject: VerbSubject) => Promise<VerbEffect> {
  switch (action.kind) {
    case 'archive':
      return updateWith({ archived: true });
    case 'restore':
      return updateWith({ archived: false });
    case 'tag':
      return updateWith({ tagsAdd: [...action.add], tagsRemove: [...action.remove] });
    case 'refresh':
      return refreshNow;
    case 'stop':
      return stopTracking;
    case 'resume':
      return resumeTracking;
  }
}
