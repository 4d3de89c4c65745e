import type { Caller } from '#shared/domain/caller.ts';
import { findCarrier, testConnector } from '#shared/domain/carrier-catalogue.ts';
import type { ChangeData } from '#shared/domain/change.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { knownContainersOf, parseIdentifiers } from '#shared/domain/identifiers.ts';
import { composeJourney } from '#shared/domain/journey.ts';
import type { Registration, Shipment, Warning } from '#shared/domain/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { appendChange } from '#shared/store/changes.ts';
import { insertPolling } from '#shared/store/first-claim.ts';
import { insertIdentifiers } from '#shared/store/identifiers.ts';
import { findByReference, insertShipment, readShipment } from '#shared/store/shipments.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import { answerOnce } from './answer-once.ts';
import type { CoreContext } from './core-context.ts';
import { enqueueFirstLooks } from './enqueue-first-look.ts';
import { addToExisting, findExisting, identifierEntries } from './existing-shipment.ts';
import { ReferenceTaken, retryLostRaces } from './retry-lost-races.ts';
import { shipmentSnapshot } from './shipment-snapshot.ts';

export type RegistrationResult = {
  outcome: 'created' | 'existing';
  /** The answer of an earlier request with the same Idempotency-Key. */
  replayed: boolean;
  shipment: Shipment;
};

/** A registration with everything that is known before the database is asked. */
export type Intake = { registration: Registration; carrierName: string; connector: string; warnings: Warning[] };

/** What one attempt did. `leased`: the first look is claimed, and must be put on the queue once the transaction is committed. */
export type Attempt = Omit<RegistrationResult, 'replayed'> & { leased: boolean };

/**
 * Registers a shipment in one transaction, then hands its first look to the queue, whose failure fails nothing. An open shipment with the
 * same number is given instead, with the identifiers it lacked. Throws LandfallError `carrier_not_supported`, `identifier_not_trackable`,
 * `identifier_conflict`, `reference_conflict`, `idempotency_in_progress`, `idempotency_mismatch`, `unavailable`.
 */
export async function registerShipment(ctx: CoreContext, caller: Caller, registration: Registration): Promise<RegistrationResult> {
  const { accountId } = caller;
  const intake = prepareIntake(ctx, caller, registration);
  const answer = await retryLostRaces(() =>
    withAccount(ctx.store, accountId, (tx) =>
      answerOnce(tx, caller, {
        compute: () => findOrCreate(tx, { ctx, caller, intake }),
        kept: ({ outcome, shipment }) => ({ outcome, shipment }),
      }),
    ),
  );
  if (answer.replayed) return { ...answer.kept, replayed: true };
  const { leased, ...result } = answer.result;
  if (leased) await enqueueFirstLooks(ctx, accountId, [{ shipmentId: result.shipment.id, connector: intake.connector }]);
  return { ...result, replayed: false };
}

/** Completes a registration with what is known without the database. Throws LandfallError `carrier_not_supported`, `identifier_not_trackable`. */
export function prepareIntake(ctx: CoreContext, caller: Caller, registration: Registration): Intake {
  const carrier = findCarrier(registration.carrier);
  const code = carrier?.code ?? registration.carrier;
  const connector = caller.test ? testConnector : ctx.connectorFor(code, registration.transportMode);
  if (connector === null) {
    throw new LandfallError('carrier_not_supported', `No connector follows the carrier ${code} by ${registration.transportMode} yet.`);
  }
  const parsed = parseIdentifiers(registration.transportMode, registration.identifiers, {
    serviceType: registration.serviceType,
    test: caller.test,
    carrier: code,
  });
  if (!parsed.trackable) {
    throw new LandfallError(
      'identifier_not_trackable',
      'No carrier can be asked about these identifiers alone; add one that is trackable.',
    );
  }
  return { registration: { ...registration, carrier: code }, carrierName: carrier?.name ?? code, connector, warnings: parsed.warnings };
}

export type RegistrationWork = { ctx: CoreContext; caller: Caller; intake: Intake };

/** Gives the open shipment that the registration is about, with the identifiers it lacked, or makes it. */
export async function findOrCreate(tx: Tx, work: RegistrationWork): Promise<Attempt> {
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
  return { outcome: 'existing', shipment, leased: false };
}

async function createShipment(tx: Tx, { ctx, caller, intake }: RegistrationWork): Promise<Attempt> {
  const { accountId, test } = caller;
  const { registration, connector } = intake;
  const { transportMode, carrier, identifiers } = registration;
  const traceparent = ctx.traceparent();
  const knownContainers = knownContainersOf(identifiers);
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
  const data: ChangeData = { shipment: shipmentSnapshot(shipment), changes: { status: [null, shipment.journey.status] } };
  await appendChange(tx, accountId, { type: 'shipment.created', shipmentId: id, test, data, traceparent });
  return { outcome: 'created', shipment, leased };
}
