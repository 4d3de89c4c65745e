import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Registration } from '#shared/domain/record/shipment.ts';
import { identifierEntries, ownKeys, reusableKeys } from '#shared/domain/registration/identifiers.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { findOpenShipments, findReusableNumberShipments } from '#shared/store/registration/identifiers.ts';
import type { Tx } from '#shared/store/with-account.ts';

type Scope = Pick<Caller, 'accountId' | 'test'>;

/**
 * The open shipment that a registration is about, or null. Throws LandfallError `identifier_conflict` if it names two.
 */
export async function findExisting(tx: Tx, caller: Scope, registration: Registration): Promise<string | null> {
  const { transportMode, carrier } = registration;
  const scope = { test: caller.test, transportMode, carrier };
  const entries = identifierEntries(registration);
  const own = entries.filter((entry) => ownKeys.includes(entry.key));
  if (own.length > 0) {
    const found = await findOpenShipments(tx, caller.accountId, { ...scope, entries: own });
    return onlyOne(found);
  }
  const reusable = entries.filter((entry) => reusableKeys.includes(entry.key));
  if (reusable.length === 0) return null;
  const sought = { ...scope, entries: reusable, ownKeys };
  return onlyOne(await findReusableNumberShipments(tx, caller.accountId, sought));
}

/** Another shipment of the account has the reference. */
export function referenceConflict(holder: string): LandfallError {
  return new LandfallError('reference_conflict', 'Another shipment has this reference.', {
    shipmentIds: [encodeTypeId('shp', holder)],
  });
}

/** The identifiers are those of other shipments. */
export function identifierConflict(detail: string, shipmentIds: string[]): LandfallError {
  return new LandfallError('identifier_conflict', detail, {
    shipmentIds: shipmentIds.map((id) => encodeTypeId('shp', id)),
  });
}

function onlyOne(found: string[]): string | null {
  if (found.length > 1) throw identifierConflict('These identifiers belong to different shipments.', found);
  return found[0] ?? null;
}
