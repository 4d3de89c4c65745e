import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { composeFrom } from '#shared/domain/journey/journey.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { isTrackingEnded } from '#shared/domain/refresh/cadence.ts';
import { identifierEntries } from '#shared/domain/registration/identifiers.ts';
import { clientChanges, type ShipmentUpdate } from '#shared/domain/registration/shipment-update.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { readLockedEvents } from '#shared/store/settling/settled-shipments.ts';
import {
  deleteClientNumbers,
  insertClientNumbers,
  setNumbersOpen,
  updateClientFields,
} from '#shared/store/shipments/client-fields.ts';
import { findByReference } from '#shared/store/shipments/shipments.ts';
import { readEvents } from '#shared/store/tracking/events.ts';
import { changeConnector, forgetReading, pausePolling } from '#shared/store/tracking/polling.ts';
import { type CoreContext, traceIdOf } from '../core-context.ts';
import type { VisibleChange } from '../feed/visible-change.ts';
import { readFreeTimeRules } from '../free-time/free-time-rules.ts';
import { actorOf } from '../keys/key-permissions.ts';
import type { ClaimedRefresh } from '../tracking/enqueue-refresh.ts';
import { findVisibleChanges, writeJourneys } from '../tracking/publish-journeys.ts';
import { followAssignment } from './assign-shipment.ts';
import { findExisting, referenceConflict } from './find-existing.ts';
import { planUpdate, type UpdatePlan } from './plan-update.ts';
import { claimRefresh, noEffect, restartedTracking, runVerb, type VerbEffect, type VerbSubject } from './run-verb.ts';

/**
 * Changes the client's fields. Writes nothing when nothing changes. Throws LandfallError `shipment_not_found`,
 * `validation_failed`, `unknown_field`, `identifier_mode_mismatch`, `identifier_conflict`, `reference_conflict`,
 * `carrier_not_supported`, or `invalid_state`: a new carrier once there are events, and new identifiers or a new
 * carrier while archived. A number can be corrected until the carrier has reported events.
 */
export function updateShipment(
  ctx: CoreContext,
  caller: Caller,
  shipmentId: string,
  update: ShipmentUpdate,
): Promise<Shipment> {
  return runVerb(ctx, caller, shipmentId, async (subject) => {
    const effect = await updateWith(update)(subject);
    const assigned = effect.visible.find(({ changes }) => changes.assignee !== undefined)?.changes.assignee;
    if (assigned !== undefined)
      await followAssignment(ctx, subject.tx, { caller, shipment: subject.shipment, change: assigned });
    const change = effect.visible.find(({ changes }) => changes.manualFreeDays !== undefined)?.changes.manualFreeDays;
    if (change !== undefined)
      await appendAudit(subject.tx, caller.accountId, {
        actor: actorOf(caller),
        action: 'shipment.last_free_days_set',
        subjectType: 'shipment',
        subjectId: shipmentId,
        requestId: caller.requestId,
        detail: { before: change[0], after: change[1] },
      });
    return effect;
  });
}

/** The verb that makes an update. */
export function updateWith(update: ShipmentUpdate): (subject: VerbSubject) => Promise<VerbEffect> {
  return async (subject) => {
    const plan = await planUpdate(subject, update);
    const changes = clientChanges(subject.shipment, plan.next);
    if (Object.keys(changes).length === 0) return noEffect;
    await refuseConflicts(subject, plan);
    await writeFields(subject, plan);
    const polled = await adjustPolling(subject, plan);
    const assessed = changes.manualFreeDays === undefined ? [] : await assessAgain(subject, plan.next);
    const { assignee, ...others } = changes;
    const visible: VisibleChange[] = [
      ...(Object.keys(others).length > 0 ? [{ type: 'shipment.updated' as const, changes: others }] : []),
      ...(assignee ? [{ type: 'shipment.assignee_changed' as const, changes: { assignee } }] : []),
    ];
    return { visible: [...visible, ...polled.visible, ...assessed], refresh: polled.refresh };
  };
}

/**
 * Hides a shipment from lists, stops its refreshes and frees its numbers. It can still be read, and an update restores
 * it. Idempotent. Throws LandfallError `shipment_not_found`.
 */
export function archiveShipment(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<Shipment> {
  return updateShipment(ctx, caller, shipmentId, { archived: true });
}

/** Throws when another shipment has the reference, or one of the numbers that would be open. */
async function refuseConflicts({ tx, caller, shipment }: VerbSubject, plan: UpdatePlan): Promise<void> {
  const { next } = plan;
  if (next.reference !== null && next.reference !== shipment.reference) {
    const holder = await findByReference(tx, caller.accountId, { reference: next.reference, test: shipment.test });
    if (holder !== null) throw referenceConflict(holder);
  }
  if (!plan.open || !(plan.carrierChanged || plan.identifiersChanged || plan.archived === false)) return;
  const { container, railcar, equipment, ...own } = next.identifiers;
  // Equipment is reused, so a closed journey doesn't claim its number.
  const identifiers = plan.openness.closed ? own : next.identifiers;
  const holder = await findExisting(tx, caller, { ...next, identifiers });
  if (holder === null || holder === shipment.id) return;
  throw new LandfallError('identifier_conflict', 'Another open shipment has one of these identifiers.', {
    shipmentIds: [shipment.id, holder].map((id) => encodeTypeId('shp', id)),
  });
}

async function writeFields({ tx, caller, shipment }: VerbSubject, plan: UpdatePlan): Promise<void> {
  const { accountId } = caller;
  const { next, open, archived, connector, carrierChanged } = plan;
  await updateClientFields(tx, accountId, { shipment: next, connector, archived, open });
  const isReplaced = carrierChanged || plan.corrected;
  if (isReplaced) await deleteClientNumbers(tx, accountId, shipment.id);
  if (isReplaced || plan.identifiersChanged) {
    const entries = identifierEntries(next).filter(({ key }) => isReplaced || shipment.identifiers[key] === undefined);
    await insertClientNumbers(tx, accountId, { shipment: next, entries, open });
  }
  if (archived !== null) await setNumbersOpen(tx, accountId, { shipmentId: shipment.id, open });
}

/** Applies the update to polling. */
async function adjustPolling(subject: VerbSubject, plan: UpdatePlan): Promise<VerbEffect> {
  const { tx, caller, shipment, polling } = subject;
  const { accountId } = caller;
  if (plan.archived === true) {
    await pausePolling(tx, accountId, shipment.id);
    return noEffect;
  }
  if (plan.carrierChanged || plan.corrected) return startOver(subject, plan);
  if (plan.next.identifiers.container !== shipment.identifiers.container)
    await forgetReading(tx, accountId, shipment.id);
  const isRestored = plan.archived === false && !isTrackingEnded(polling.state);
  return { visible: [], refresh: isRestored ? await claimRefresh(subject, 'restore') : null };
}

/**
 * Restarts tracking with another carrier or number unless the client has stopped it: what failed with the previous one
 * may work with this one. The result of a running refresh is discarded.
 */
async function startOver(subject: VerbSubject, { connector, next }: UpdatePlan): Promise<VerbEffect> {
  const { tx, caller, shipment, polling } = subject;
  await changeConnector(tx, caller.accountId, shipment.id, connector);
  if (next.identifiers.container !== shipment.identifiers.container) await recompose(subject, next);
  if (polling.state === 'stopped') return noEffect;
  const refresh: ClaimedRefresh | null = await claimRefresh(
    { ...subject, polling: { ...polling, connector } },
    'restart',
  );
  const { journey } = shipment;
  const after = { journey, tracking: restartedTracking(connector) };
  return { visible: findVisibleChanges({ journey, tracking: polling }, after), refresh };
}

/** A journey without events names the client's own container. */
async function recompose({ tx, ctx, caller, polling }: VerbSubject, next: Shipment): Promise<void> {
  const events = await readEvents(tx, caller.accountId, next.id);
  const rules = await readFreeTimeRules(ctx, tx, caller.accountId);
  const composed = composeFrom(events, next, { nowMs: Date.parse(polling.now), rules: rules(next) });
  await writeJourneys(tx, caller.accountId, [
    {
      shipment: next,
      ...composed,
      context: { events, addedIds: [] },
      traceId: traceIdOf(ctx),
      journeyText: ctx.journeyText?.(composed.journey) ?? null,
    },
  ]);
}

/** Composes the journey with other manual days. The version has risen with the client's fields already. */
async function assessAgain(
  { tx, ctx, caller, shipment, polling }: VerbSubject,
  next: Shipment,
): Promise<VisibleChange[]> {
  const { accountId } = caller;
  const events = (await readLockedEvents(tx, accountId, [next.id])).get(next.id) ?? [];
  const rules = await readFreeTimeRules(ctx, tx, accountId);
  const composed = composeFrom(events, next, {
    nowMs: Date.parse(polling.now),
    rules: rules(next),
    isTrackingEnded: isTrackingEnded(polling.state),
  });
  const { journey } = composed;
  const write = { shipment: next, ...composed, context: { events, addedIds: [] }, traceId: traceIdOf(ctx) };
  await writeJourneys(tx, accountId, [{ ...write, journeyText: ctx.journeyText?.(journey) ?? null, isVisible: false }]);
  return findVisibleChanges({ journey: shipment.journey, tracking: polling }, { journey, tracking: polling });
}
