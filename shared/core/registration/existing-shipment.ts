import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type ChangeData, shipmentSnapshot } from '#shared/domain/feed/change.ts';
import { matchValues } from '#shared/domain/registration/identifiers.ts';
import {
  type IdentifierKey,
  type Identifiers,
  identifierKeys,
  type Registration,
  type Shipment,
  type Warning,
} from '#shared/domain/shipments/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { appendChange } from '#shared/store/feed/changes.ts';
import {
  findOpenShipments,
  findReusableNumberShipments,
  type IdentifierEntry,
  insertIdentifiers,
} from '#shared/store/registration/identifiers.ts';
import { lockShipment, readShipment, updateIdentifiers } from '#shared/store/shipments/shipments.ts';
import { forgetReading } from '#shared/store/tracking/polling.ts';
import type { Tx } from '#shared/store/with-account.ts';
import { ShipmentMoved } from './retry-lost-races.ts';

/** Numbers that name one shipment of a carrier. */
export const ownKeys: readonly IdentifierKey[] = ['mbl', 'booking', 'awb', 'tracking_number', 'pro', 'bol', 'waybill'];
/** Numbers of equipment, which sail again with other cargo. */
export const reusableKeys: readonly IdentifierKey[] = ['container', 'railcar', 'equipment'];

/** The identifiers as they are stored and compared, sorted. */
export function identifierEntries(registration: Pick<Registration, 'identifiers' | 'carrier'>): IdentifierEntry[] {
  return identifierKeys.toSorted().flatMap((key) => {
    const value = registration.identifiers[key];
    return value === undefined
      ? []
      : [{ key, value, matchValue: matchValues(key, value, registration.carrier).stored }];
  });
}

/** The open shipment that a registration is about, or null. Throws LandfallError `identifier_conflict` when it names two. */
export async function findExisting(
  tx: Tx,
  caller: Pick<Caller, 'accountId' | 'test'>,
  registration: Registration,
): Promise<string | null> {
  const { transportMode, carrier } = registration;
  const scope = { test: caller.test, transportMode, carrier };
  const entries = identifierEntries(registration);
  const own = entries.filter((entry) => ownKeys.includes(entry.key));
  if (own.length > 0) {
    const found = await findOpenShipments(tx, caller.accountId, { ...scope, entries: own });
    if (found.length > 1) throw conflict('These identifiers belong to different shipments.', found);
    return found[0] ?? null;
  }
  const reusable = entries.filter((entry) => reusableKeys.includes(entry.key));
  if (reusable.length === 0) return null;
  const found = await findReusableNumberShipments(tx, caller.accountId, { ...scope, entries: reusable, ownKeys });
  if (found.length > 1) throw conflict('These identifiers belong to different shipments.', found);
  return found[0] ?? null;
}

export type Addition = {
  caller: Pick<Caller, 'accountId' | 'test'>;
  intake: { registration: Registration; warnings: Warning[] };
  shipmentId: string;
  traceparent: string | null;
};

/**
 * Gives the open shipment with the identifiers it lacked. Throws LandfallError `identifier_conflict` when one it has differs, and
 * `ShipmentMoved` when it was archived, closed or given another carrier since it was found.
 */
export async function addToExisting(tx: Tx, addition: Addition): Promise<Shipment> {
  const { caller, intake, shipmentId, traceparent } = addition;
  const { accountId, test } = caller;
  const { registration } = intake;
  const shipment = await readShipment(tx, accountId, { id: shipmentId, test });
  if (shipment === null) throw new Error('the shipment of an open identifier is missing');
  if (shipment.archivedAt !== null) throw new ShipmentMoved('the shipment was archived at this moment');
  if (lacking(shipment, registration).length === 0) return shipment;

  const locked = await lockShipment(tx, accountId, shipmentId);
  if (locked === null) throw new Error('the shipment of an open identifier is missing');
  // Its numbers may have been freed while this one waited: a number added now would stay with it for good.
  if ((await findExisting(tx, caller, intake.registration)) !== shipmentId)
    throw new ShipmentMoved('the shipment is another one by now');
  const entries = lacking(locked, registration);
  if (entries.length === 0) return locked;
  const added: Identifiers = Object.fromEntries(entries.map((entry) => [entry.key, entry.value]));
  const addedWarnings = intake.warnings.filter(
    (warning) => !locked.warnings.some((known) => known.field === warning.field && known.code === warning.code),
  );
  const { transportMode, carrier } = locked;
  await insertIdentifiers(tx, accountId, { shipmentId, source: 'client', test, transportMode, carrier, entries });
  const identifiers = { ...locked.identifiers, ...added };
  await updateIdentifiers(tx, accountId, {
    shipment: locked,
    identifiers,
    warnings: [...locked.warnings, ...addedWarnings],
  });
  if (added.container !== undefined) await forgetReading(tx, accountId, shipmentId);
  const updated = await readShipment(tx, accountId, { id: shipmentId, test });
  if (updated === null) throw new Error('the shipment just changed cannot be read');
  const data: ChangeData = {
    shipment: shipmentSnapshot(updated),
    changes: { identifiers: [locked.identifiers, identifiers] },
  };
  await appendChange(tx, accountId, { type: 'shipment.updated', shipmentId, test, data, traceparent });
  return updated;
}

/** True when the shipment has every one of the registration's identifiers already, so that nothing is to be added or refused. */
export function hasAllIdentifiers(identifiers: Identifiers, registration: Registration): boolean {
  return identifierEntries(registration).every((entry) => {
    const present = identifiers[entry.key];
    return present !== undefined && matchValues(entry.key, present, registration.carrier).stored === entry.matchValue;
  });
}

function lacking(shipment: Shipment, registration: Registration): IdentifierEntry[] {
  return identifierEntries(registration).filter((entry) => {
    const present = shipment.identifiers[entry.key];
    if (present === undefined) return true;
    if (matchValues(entry.key, present, shipment.carrier).stored === entry.matchValue) return false;
    throw conflict(`The shipment already has another ${entry.key}.`, [shipment.id]);
  });
}

function conflict(detail: string, shipmentIds: string[]): LandfallError {
  return new LandfallError('identifier_conflict', detail, {
    shipmentIds: shipmentIds.map((id) => encodeTypeId('shp', id)),
  });
}
