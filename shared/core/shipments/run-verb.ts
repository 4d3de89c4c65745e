import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { awaitingEvents, pushedConnector } from '#shared/domain/events-in/pushed-tracking.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment, Tracking } from '#shared/domain/record/shipment.ts';
import { awaitEvents } from '#shared/store/events-in/await-events.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import { lockShipment, readShipment } from '#shared/store/shipments/shipments.ts';
import { type LockedPolling, lockPolling } from '#shared/store/tracking/polling.ts';
import { type RequestReason, requestRefreshNow } from '#shared/store/tracking/request-refresh.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { newChange, type VisibleChange } from '../feed/visible-change.ts';
import { retryLostRaces } from '../retry-lost-races.ts';
import { type ClaimedRefresh, enqueueRefresh } from '../tracking/enqueue-refresh.ts';

/** The caller of a verb, and what it expects of the shipment. An import expects nothing. */
type VerbCaller = Pick<Caller, 'accountId' | 'test' | 'precondition'>;

/**
 * A shipment whose row and polling row are locked. Read the tracking state from `polling`; `shipment` may hold an older
 * one.
 */
export type VerbSubject = {
  tx: Tx;
  ctx: CoreContext;
  caller: VerbCaller;
  shipment: Shipment;
  polling: LockedPolling;
};

/**
 * The result of a verb: the changes that a client sees, in order (none: nothing happened), and the refresh that it claimed.
 */
export type VerbEffect = { visible: VisibleChange[]; refresh: ClaimedRefresh | null };

export const noEffect: VerbEffect = { visible: [], refresh: null };

/**
 * Runs a verb on one shipment in one transaction, appends its changes to the feed, and puts the refresh that it claimed
 * on the queue, whose failure fails nothing. Retries lost races from the start. Returns the updated record. Throws
 * LandfallError `shipment_not_found`, also for another account's shipment and across test mode, and
 * `precondition_failed` when the locked shipment is not what the caller expects.
 */
export async function runVerb(
  ctx: CoreContext,
  caller: Caller,
  shipmentId: string,
  verb: (subject: VerbSubject) => Promise<VerbEffect>,
): Promise<Shipment> {
  const { shipment, refresh } = await retryLostRaces(() =>
    withAccount(ctx.store, caller.accountId, (tx) => runVerbIn(tx, ctx, { caller, shipmentId }, verb)),
  );
  if (refresh !== null) await enqueueRefresh(ctx, refresh);
  return shipment;
}

/**
 * The same in the transaction of the caller, who queues the refresh after the commit. `isChanged`: a client sees a
 * change. An import runs it for each row.
 */
export async function runVerbIn(
  tx: Tx,
  ctx: CoreContext,
  { caller, shipmentId }: { caller: VerbCaller; shipmentId: string },
  verb: (subject: VerbSubject) => Promise<VerbEffect>,
): Promise<{ shipment: Shipment; refresh: VerbEffect['refresh']; isChanged: boolean }> {
  const { accountId, test } = caller;
  const { visible, refresh } = await verb(await lockSubject(tx, ctx, { caller, shipmentId }));
  const shipment = await readShipment(tx, accountId, { id: shipmentId, test });
  if (shipment === null) throw new Error('the shipment just locked cannot be read');
  const snapshot = shipmentSnapshot(shipment);
  const traceparent = ctx.traceparent();
  const changes = visible.map((change) => newChange(change, { shipmentId, test, snapshot, traceparent }));
  await appendChanges(tx, accountId, changes);
  return { shipment, refresh, isChanged: visible.length > 0 };
}

async function lockSubject(
  tx: Tx,
  ctx: CoreContext,
  subject: { caller: VerbCaller; shipmentId: string },
): Promise<VerbSubject> {
  const { caller, shipmentId } = subject;
  const shipment = await lockShipment(tx, caller.accountId, shipmentId);
  const polling = shipment?.test === caller.test ? await lockPolling(tx, caller.accountId, shipmentId) : null;
  if (shipment === null || polling === null) throw new LandfallError('shipment_not_found', 'Shipment not found.');
  if (caller.precondition?.(shipment) === false) {
    const detail = 'The shipment changed since it was read. Read it again and send its current ETag.';
    throw new LandfallError('precondition_failed', detail);
  }
  return { tx, ctx, caller, shipment, polling };
}

/** Throws LandfallError `invalid_state` for an archived shipment: it can only be restored. */
export function refuseArchived({ shipment }: VerbSubject): void {
  if (shipment.archivedAt === null) return;
  throw new LandfallError(
    'invalid_state',
    'The shipment is archived. Restore it first with PATCH and {"archived": false}.',
  );
}

/** Tracking that starts again, or starts with another carrier. */
export function restartedTracking(connector: string): Pick<Tracking, 'state' | 'reason'> {
  return connector === pushedConnector ? awaitingEvents : { state: 'queued', reason: null };
}

/**
 * Claims a refresh now. Null: the account has no free lease, and the sweep claims it, or nobody is polled and the
 * shipment awaits events.
 */
export async function claimRefresh(
  { tx, ctx, caller, shipment, polling }: VerbSubject,
  why: RequestReason,
): Promise<ClaimedRefresh | null> {
  const { accountId } = caller;
  const { connector } = polling;
  if (connector === pushedConnector) {
    await awaitEvents(tx, accountId, { shipmentId: shipment.id, restarts: why === 'restart' });
    return null;
  }
  const epoch = await requestRefreshNow(tx, accountId, {
    shipmentId: shipment.id,
    connector,
    leaseS: ctx.settings.leaseS,
    maxLeases: ctx.producer === null ? 0 : ctx.settings.maxEagerLeases,
    why,
  });
  return epoch === null ? null : { accountId, shipmentId: shipment.id, epoch, connector, requested: true };
}
