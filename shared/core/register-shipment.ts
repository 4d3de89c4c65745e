import type { Caller } from '#shared/domain/caller.ts';
import { findCarrier } from '#shared/domain/carrier-catalogue.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { matchValue, parseIdentifiers } from '#shared/domain/identifiers.ts';
import { composeJourney } from '#shared/domain/journey.ts';
import type { Registration, Shipment, Warning } from '#shared/domain/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { appendChange } from '#shared/store/changes.ts';
import { insertPolling } from '#shared/store/first-claim.ts';
import { readIdempotency, storeIdempotency, takeIdempotencyKey } from '#shared/store/idempotency.ts';
import { insertIdentifiers, openIdentifierConstraint } from '#shared/store/identifiers.ts';
import { findByReference, insertShipment, readShipment } from '#shared/store/shipments.ts';
import { isTransactionConflict, isUniqueViolation } from '#shared/store/store-errors.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';
import { enqueueFirstLook } from './enqueue-first-look.ts';
import { addToExisting, findExisting, identifierEntries } from './existing-shipment.ts';
import { shipmentSnapshot } from './shipment-snapshot.ts';

export type RegistrationResult = {
  outcome: 'created' | 'existing';
  /** The answer of an earlier request with the same Idempotency-Key. */
  replayed: boolean;
  shipment: Shipment;
};

/** A registration with everything that is known before the database is asked. */
export type Intake = { registration: Registration; carrierName: string; connector: string; warnings: Warning[] };

type Attempt = RegistrationResult & { leased: boolean };

const testConnector = 'test';
const maxAttempts = 6;

/**
 * Registers a shipment in one transaction, then hands its first look to the queue, whose failure fails nothing. An open shipment with the
 * same number is given instead, with the identifiers it lacked. Throws LandfallError `carrier_not_supported`, `identifier_not_trackable`,
 * `identifier_conflict`, `reference_conflict`, `idempotency_in_progress`, `idempotency_mismatch`, `unavailable`.
 */
export async function registerShipment(ctx: CoreContext, caller: Caller, registration: Registration): Promise<RegistrationResult> {
  const intake = prepareIntake(ctx, caller, registration);
  for (let attempt = 1; ; attempt++) {
    try {
      const { leased, ...result } = await withAccount(ctx.store, caller.accountId, (tx) => registerOnce(tx, { ctx, caller, intake }));
      if (leased) await enqueueFirstLook(ctx, { accountId: caller.accountId, shipmentId: result.shipment.id, connector: intake.connector });
      return result;
    } catch (error) {
      const lostRace =
        error instanceof ReferenceTaken || isUniqueViolation(error, [openIdentifierConstraint]) || isTransactionConflict(error);
      if (!lostRace || attempt === maxAttempts) throw error;
    }
  }
}

/** The reference was taken between looking and inserting; the next attempt sees who has it. */
class ReferenceTaken extends Error {}

function prepareIntake(ctx: CoreContext, caller: Caller, registration: Registration): Intake {
  const carrier = findCarrier(registration.carrier);
  const code = carrier?.code ?? registration.carrier;
  const connector = caller.test ? testConnector : ctx.connectorFor(code, registration.transportMode);
  if (connector === null) {
    throw new LandfallError('carrier_not_supported', `No connector follows the carrier ${code} by ${registration.transportMode} yet.`);
  }
  const parsed = parseIdentifiers(registration.transportMode, registration.identifiers, {
    serviceType: registration.serviceType,
    test: caller.test,
  });
  if (!parsed.trackable) {
    throw new LandfallError(
      'identifier_not_trackable',
      'No carrier can be asked about these identifiers alone; add one that is trackable.',
    );
  }
  return { registration: { ...registration, carrier: code }, carrierName: carrier?.name ?? code, connector, warnings: parsed.warnings };
}

type Work = { ctx: CoreContext; caller: Caller; intake: Intake };

async function registerOnce(tx: Tx, work: Work): Promise<Attempt> {
  const { accountId, idempotency } = work.caller;
  if (idempotency === null) return findOrCreate(tx, work);
  const key = { ...idempotency, route: work.caller.test ? `test ${idempotency.route}` : idempotency.route };
  if (!(await takeIdempotencyKey(tx, accountId, key))) {
    throw new LandfallError('idempotency_in_progress', 'A request with this Idempotency-Key is still running.', { retryAfterS: 1 });
  }
  const earlier = await readIdempotency(tx, accountId, key);
  if (earlier !== null) {
    if (earlier.bodyHash !== key.bodyHash) {
      throw new LandfallError('idempotency_mismatch', 'This Idempotency-Key was used for a request with another body.');
    }
    return { ...(earlier.response as Pick<RegistrationResult, 'outcome' | 'shipment'>), replayed: true, leased: false };
  }
  const result = await findOrCreate(tx, work);
  await storeIdempotency(tx, accountId, { ...key, response: { outcome: result.outcome, shipment: result.shipment } });
  return result;
}

async function findOrCreate(tx: Tx, work: Work): Promise<Attempt> {
  const { caller, intake } = work;
  const { reference } = intake.registration;
  let existing = await findExisting(tx, caller, intake.registration);
  if (reference !== null) {
    const holder = await findByReference(tx, caller.accountId, { reference, test: caller.test });
    // A racing registration of the same shipment may have been committed between the two looks.
    if (holder !== null && existing === null) existing = await findExisting(tx, caller, intake.registration);
    if (holder !== null && holder !== existing) {
      throw new LandfallError('reference_conflict', 'Another shipment has this reference.', { shipmentIds: [encodeTypeId('shp', holder)] });
    }
  }
  if (existing === null) return createShipment(tx, work);
  const shipment = await addToExisting(tx, { caller, intake, shipmentId: existing, traceparent: work.ctx.traceparent() });
  return { outcome: 'existing', replayed: false, shipment, leased: false };
}

async function createShipment(tx: Tx, { ctx, caller, intake }: Work): Promise<Attempt> {
  const { accountId, test } = caller;
  const { registration, connector } = intake;
  const { transportMode, carrier, identifiers } = registration;
  const traceparent = ctx.traceparent();
  const knownContainers = identifiers.container === undefined ? [] : [matchValue(identifiers.container)];
  const journey = composeJourney({ events: [], transportMode, knownContainers }, ctx.now().getTime());
  const id = await insertShipment(tx, accountId, { ...intake, test, journey, traceparent });
  if (id === null) throw new ReferenceTaken('the reference was taken at this moment');
  const entries = identifierEntries(registration);
  await insertIdentifiers(tx, accountId, { shipmentId: id, source: 'client', test, transportMode, carrier, entries });
  const leased = await insertPolling(tx, accountId, {
    shipmentId: id,
    connector,
    leaseS: ctx.settings.leaseS,
    maxLeases: ctx.producer === null ? 0 : ctx.settings.maxEagerLeases,
  });
  const shipment = await readShipment(tx, accountId, { id, test });
  if (shipment === null) throw new Error('the shipment just created cannot be read');
  const data = { shipment: shipmentSnapshot(shipment), changes: { status: [null, shipment.journey.status] } };
  await appendChange(tx, accountId, { type: 'shipment.created', shipmentId: id, test, data, traceparent });
  return { outcome: 'created', replayed: false, shipment, leased };
}
