import type { Caller } from '#shared/domain/caller.ts';
import { type ChangeData, shipmentSnapshot } from '#shared/domain/feed/change.ts';
import { checkReferences, hasReferences, mergeReferences } from '#shared/domain/record/references.ts';
import type { Identifiers, Registration, Shipment, Warning } from '#shared/domain/record/shipment.ts';
import { isResumedByRegistration, trackingNotResumed, trackingResumed } from '#shared/domain/refresh/ended-tracking.ts';
import { type IdentifierEntry, identifierEntries, matchValues } from '#shared/domain/registration/identifiers.ts';
import { clientChanges } from '#shared/domain/registration/shipment-update.ts';
import { appendChange, appendChanges } from '#shared/store/feed/changes.ts';
import { insertIdentifiers } from '#shared/store/registration/identifiers.ts';
import { findByReference, lockShipment, readShipment, updateNumbers } from '#shared/store/shipments/shipments.ts';
import { forgetReading, lockPolling } from '#shared/store/tracking/polling.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { ShipmentMoved } from '../retry-lost-races.ts';
import { findExisting, identifierConflict, referenceConflict } from '../shipments/find-existing.ts';
import { restartTracking } from '../shipments/restart-tracking.ts';
import type { ClaimedRefresh } from '../tracking/enqueue-refresh.ts';
import { createShipments } from './create-shipments.ts';
import type { RegistrationRow } from './prepare-registration.ts';

type Scope = Pick<Caller, 'accountId' | 'test'>;

type DoubtfulRow = RegistrationRow & {
  ctx: CoreContext;
  caller: Scope;
  now: Date;
  createdAt: Date;
  hurried: boolean;
};

/** `warnings` are those of the record and of this registration. `refresh` is claimed: queue it after the commit. */
export type JoinedShipment = {
  outcome: 'created' | 'existing';
  shipment: Shipment;
  warnings: Warning[];
  refresh: Pick<ClaimedRefresh, 'epoch' | 'connector'> | null;
};

/**
 * Registers one row by itself: adds the identifiers and references that its open shipment lacks and resumes its tracking if the client
 * had stopped it, or creates a shipment. Throws LandfallError `identifier_conflict`, `reference_conflict`, and what
 * `retryLostRaces` retries.
 */
export async function joinOrCreate(tx: Tx, row: DoubtfulRow): Promise<JoinedShipment> {
  const { caller, prepared, traceparent } = row;
  const { accountId, test } = caller;
  const { registration } = prepared;
  const { reference } = registration;
  let existing = await findExisting(tx, caller, registration);
  if (reference !== null) {
    const holder = await findByReference(tx, accountId, { reference, test });
    // A racing registration of the same shipment may have been committed between the two statements.
    if (holder !== null && existing === null) existing = await findExisting(tx, caller, registration);
    if (holder !== null && holder !== existing) throw referenceConflict(holder);
  }
  if (existing !== null) {
    const joined = await addNumbers(tx, { caller, prepared, shipmentId: existing, traceparent });
    return { outcome: 'existing', ...(await resumeStopped(tx, joined, row)) };
  }
  const { ctx, now, createdAt, hurried } = row;
  const [created] = await createShipments(tx, { ctx, accountId, test, rows: [row], now, createdAt, hurried });
  if (created === undefined) throw new Error('a row has no shipment');
  const { shipment, leased } = created;
  const refresh = leased ? { epoch: 1, connector: prepared.connector } : null;
  return { outcome: 'created', shipment, warnings: shipment.warnings, refresh };
}

async function resumeStopped(
  tx: Tx,
  joined: Shipment,
  { ctx, caller, traceparent }: DoubtfulRow,
): Promise<Omit<JoinedShipment, 'outcome'>> {
  const kept = trackingNotResumed(joined.tracking);
  const unchanged = { shipment: joined, warnings: kept === null ? joined.warnings : [...joined.warnings, kept] };
  if (!isResumedByRegistration(joined.tracking)) return { ...unchanged, refresh: null };
  const { accountId, test } = caller;
  const locked = await lockShipment(tx, accountId, joined.id);
  const polling = await lockPolling(tx, accountId, joined.id);
  if (locked === null || polling === null) throw new ShipmentMoved('the shipment was just removed');
  // Another request may have resumed or archived it during the wait for the lock.
  if (!isResumedByRegistration(polling) || locked.archivedAt !== null)
    throw new ShipmentMoved('tracking of the shipment just changed');
  const { visible, refresh } = await restartTracking({ tx, ctx, caller, shipment: locked, polling });
  const shipment = await readShipment(tx, accountId, { id: joined.id, test });
  if (shipment === null) throw new Error('the shipment just resumed cannot be read');
  const snapshot = shipmentSnapshot(shipment);
  const common = { shipmentId: shipment.id, test, traceparent };
  await appendChanges(
    tx,
    accountId,
    visible.map(({ type, changes }) => ({ ...common, type, data: { shipment: snapshot, changes } })),
  );
  return { shipment, warnings: [...shipment.warnings, trackingResumed], refresh };
}

/** True when the shipment has all of the registration's identifiers, so that there is nothing to add or refuse. */
export function hasAllIdentifiers(identifiers: Identifiers, registration: Registration): boolean {
  return identifierEntries(registration).every((entry) => {
    const present = identifiers[entry.key];
    return present !== undefined && matchValues(entry.key, present, registration.carrier).stored === entry.matchValue;
  });
}

/**
 * The identifiers that the shipment does not have yet. Throws LandfallError `identifier_conflict` if one has another
 * value.
 */
export function lackingIdentifiers(
  shipment: Shipment,
  sent: Pick<Registration, 'identifiers' | 'carrier'>,
): IdentifierEntry[] {
  return identifierEntries(sent).filter(({ key, matchValue }) => {
    const present = shipment.identifiers[key];
    if (present === undefined) return true;
    if (matchValues(key, present, shipment.carrier).stored === matchValue) return false;
    const detail =
      `The shipment already has a different ${key}. If that one is mistyped, correct it with ` +
      'PATCH /v1/shipments/{shipment_id}; otherwise correct this one or leave it out.';
    throw identifierConflict(detail, [shipment.id]);
  });
}

/** True when nothing is to be added. Throws LandfallError `identifier_conflict` as above. */
function hasAll(shipment: Shipment, registration: Registration): boolean {
  return (
    lackingIdentifiers(shipment, registration).length === 0 &&
    hasReferences(shipment.references, registration.references)
  );
}

type Addition = Pick<DoubtfulRow, 'caller' | 'prepared' | 'traceparent'> & { shipmentId: string };

/**
 * Throws LandfallError `identifier_conflict` if the shipment has another value for an identifier, and `ShipmentMoved`
 * if it was archived, closed, removed or given another carrier since it was found.
 */
async function addNumbers(tx: Tx, { caller, prepared, shipmentId, traceparent }: Addition): Promise<Shipment> {
  const { accountId, test } = caller;
  const { registration, warnings } = prepared;
  const shipment = await readShipment(tx, accountId, { id: shipmentId, test });
  if (shipment === null) throw new ShipmentMoved('the shipment was just removed');
  if (shipment.archivedAt !== null) throw new ShipmentMoved('the shipment was just archived');
  if (hasAll(shipment, registration)) return shipment;

  const locked = await lockShipment(tx, accountId, shipmentId);
  if (locked === null) throw new ShipmentMoved('the shipment was just removed');
  // Its numbers may have been freed during the wait for the lock. A number added to it now would stay with it permanently.
  if ((await findExisting(tx, caller, registration)) !== shipmentId)
    throw new ShipmentMoved('the identifiers belong to another shipment by now');
  if (hasAll(locked, registration)) return locked;
  const entries = lackingIdentifiers(locked, registration);
  const added: Identifiers = Object.fromEntries(entries.map((entry) => [entry.key, entry.value]));
  const addedWarnings = warnings.filter(
    (warning) => !locked.warnings.some((known) => known.field === warning.field && known.code === warning.code),
  );
  const { transportMode, carrier } = locked;
  await insertIdentifiers(tx, accountId, { shipmentId, source: 'client', test, transportMode, carrier, entries });
  const identifiers = { ...locked.identifiers, ...added };
  const references = mergeReferences(locked.references, { referencesAdd: registration.references });
  checkReferences(references);
  const changed = { shipment: locked, identifiers, references, warnings: [...locked.warnings, ...addedWarnings] };
  await updateNumbers(tx, accountId, changed);
  if (added.container !== undefined) await forgetReading(tx, accountId, shipmentId);
  const updated = await readShipment(tx, accountId, { id: shipmentId, test });
  if (updated === null) throw new Error('the shipment just changed cannot be read');
  const data: ChangeData = {
    shipment: shipmentSnapshot(updated),
    changes: clientChanges(locked, updated),
  };
  await appendChange(tx, accountId, { type: 'shipment.updated', shipmentId, test, data, traceparent });
  return updated;
}
