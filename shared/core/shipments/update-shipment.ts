import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { clientChanges, mergeMetadata, type ShipmentUpdate } from '#shared/domain/shipments/shipment-update.ts';
import { isTrackingEnded } from '#shared/domain/tracking/cadence.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import {
  deleteClientNumbers,
  insertClientNumbers,
  type Openness,
  readOpenness,
  setNumbersOpen,
  updateClientFields,
} from '#shared/store/shipments/client-fields.ts';
import { findByReference } from '#shared/store/shipments/shipments.ts';
import { isUniqueViolation } from '#shared/store/store-errors.ts';
import { changeConnector, forgetReading, pausePolling } from '#shared/store/tracking/polling.ts';
import type { CoreContext } from '../core-context.ts';
import { findExisting, identifierEntries } from '../registration/existing-shipment.ts';
import { ReferenceTaken } from '../registration/retry-lost-races.ts';
import type { ClaimedRefresh } from '../tracking/enqueue-refresh.ts';
import { findVisibleChanges } from '../tracking/publish-journeys.ts';
import { claimRefresh, noEffect, runVerb, type VerbEffect, type VerbSubject } from './run-verb.ts';
import { addIdentifiers, checkMetadata, chooseCarrier } from './updated-fields.ts';

const referenceConstraint = 'shipments_reference_unique';

/** What an update comes to: the shipment as it shall be, and which parts of it need more than its own row. */
type Plan = {
  next: Shipment;
  connector: string;
  carrierChanged: boolean;
  identifiersChanged: boolean;
  /** Null: stays as it is. */
  archived: boolean | null;
  openness: Openness;
  open: boolean;
};

/**
 * Changes what belongs to the client. Nothing changed: nothing is written. Throws LandfallError `shipment_not_found`, `validation_failed`,
 * `unknown_field`, `identifier_mode_mismatch`, `identifier_conflict`, `reference_conflict`, `carrier_not_supported`, or `invalid_state`: a
 * new carrier once there are events, and new identifiers or carrier while archived.
 */
export function updateShipment(
  ctx: CoreContext,
  caller: Caller,
  shipmentId: string,
  update: ShipmentUpdate,
): Promise<Shipment> {
  return runVerb(ctx, caller, shipmentId, async (subject) => {
    const plan = await planUpdate(subject, update);
    const changes = clientChanges(subject.shipment, plan.next);
    if (Object.keys(changes).length === 0) return noEffect;
    await refuseConflicts(subject, plan);
    await writeFields(subject, plan);
    const polled = await adjustPolling(subject, plan);
    return { visible: [{ type: 'shipment.updated', changes }, ...polled.visible], refresh: polled.refresh };
  });
}

async function planUpdate(subject: VerbSubject, update: ShipmentUpdate): Promise<Plan> {
  const { tx, ctx, caller, shipment, polling } = subject;
  const wasArchived = shipment.archivedAt !== null;
  const archived = update.archived === undefined || update.archived === wasArchived ? null : update.archived;
  const chosen = update.carrier === undefined ? null : chooseCarrier(subject, update.carrier);
  const carried: Shipment =
    chosen === null ? shipment : { ...shipment, carrier: chosen.carrier, carrierName: chosen.carrierName };
  const numbered = update.identifiers === undefined ? carried : addIdentifiers(carried, update.identifiers);
  const next: Shipment = {
    ...numbered,
    reference: update.reference === undefined ? shipment.reference : update.reference,
    tags: update.tags ?? shipment.tags,
    metadata: mergeMetadata(shipment.metadata, update.metadata),
    destinationPostalCode:
      update.destinationPostalCode === undefined ? shipment.destinationPostalCode : update.destinationPostalCode,
    archivedAt: archived === null ? shipment.archivedAt : archived ? polling.now : null,
  };
  if (update.metadata !== undefined) checkMetadata(next.metadata);

  const identifiersChanged = numbered.identifiers !== carried.identifiers;
  if (next.archivedAt !== null && (chosen !== null || identifiersChanged)) {
    throw new LandfallError(
      'invalid_state',
      'Identifiers and carrier of an archived shipment stay; send {"archived": false} with them.',
    );
  }
  const { openAfterClosingDays } = ctx.settings;
  const openness = await readOpenness(tx, caller.accountId, {
    shipmentId: shipment.id,
    openDaysAfterClosing: openAfterClosingDays,
  });
  return {
    next,
    connector: chosen?.connector ?? polling.connector,
    carrierChanged: chosen !== null,
    identifiersChanged,
    archived,
    openness,
    open: archived === null ? openness.open : !archived && openness.mayOpen,
  };
}

/** Throws when the reference or one of the numbers that would be open belongs to another shipment. */
async function refuseConflicts({ tx, caller, shipment }: VerbSubject, plan: Plan): Promise<void> {
  const { next } = plan;
  if (next.reference !== null && next.reference !== shipment.reference) {
    const holder = await findByReference(tx, caller.accountId, { reference: next.reference, test: shipment.test });
    if (holder !== null) {
      throw new LandfallError('reference_conflict', 'Another shipment has this reference.', {
        shipmentIds: [encodeTypeId('shp', holder)],
      });
    }
  }
  if (!plan.open || !(plan.carrierChanged || plan.identifiersChanged || plan.archived === false)) return;
  const { container, railcar, equipment, ...own } = next.identifiers;
  // Equipment sails again: a closed journey holds nobody off by it.
  const identifiers = plan.openness.closed ? own : next.identifiers;
  const holder = await findExisting(tx, caller, { ...next, identifiers });
  if (holder === null || holder === shipment.id) return;
  throw new LandfallError('identifier_conflict', 'Another open shipment has one of these identifiers.', {
    shipmentIds: [shipment.id, holder].map((id) => encodeTypeId('shp', id)),
  });
}

async function writeFields({ tx, caller, shipment }: VerbSubject, plan: Plan): Promise<void> {
  const { accountId } = caller;
  const { next, open, archived, connector, carrierChanged } = plan;
  try {
    await updateClientFields(tx, accountId, { shipment: next, connector, archived, open });
  } catch (error) {
    if (isUniqueViolation(error, [referenceConstraint]))
      throw new ReferenceTaken('the reference was taken at this moment');
    throw error;
  }
  if (carrierChanged) await deleteClientNumbers(tx, accountId, shipment.id);
  if (carrierChanged || plan.identifiersChanged) {
    const entries = identifierEntries(next).filter(
      ({ key }) => carrierChanged || shipment.identifiers[key] === undefined,
    );
    await insertClientNumbers(tx, accountId, { shipment: next, entries, open });
  }
  if (archived !== null) await setNumbersOpen(tx, accountId, { shipmentId: shipment.id, open });
}

/** What the update means for the refreshes. */
async function adjustPolling(subject: VerbSubject, plan: Plan): Promise<VerbEffect> {
  const { tx, caller, shipment, polling } = subject;
  const { accountId } = caller;
  if (plan.archived === true) {
    await pausePolling(tx, accountId, shipment.id);
    return noEffect;
  }
  if (plan.carrierChanged) return followNewCarrier(subject, plan.connector);
  if (plan.next.identifiers.container !== shipment.identifiers.container)
    await forgetReading(tx, accountId, shipment.id);
  const isRestored = plan.archived === false && !isTrackingEnded(polling.state);
  return { visible: [], refresh: isRestored ? await claimRefresh(subject, 'restore') : null };
}

/** Tracking begins anew, unless the client has stopped it; what failed with the former carrier may well go with this one. */
async function followNewCarrier(subject: VerbSubject, connector: string): Promise<VerbEffect> {
  const { tx, caller, shipment, polling } = subject;
  await changeConnector(tx, caller.accountId, shipment.id, connector);
  if (polling.state === 'stopped') return noEffect;
  const refresh: ClaimedRefresh | null = await claimRefresh(
    { ...subject, polling: { ...polling, connector } },
    'restart',
  );
  const { journey } = shipment;
  const after = { journey, tracking: { state: 'queued', reason: null } } as const;
  return { visible: findVisibleChanges({ journey, tracking: polling }, after), refresh };
}
