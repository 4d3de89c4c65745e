import { type ChangeData, shipmentSnapshot } from '#shared/domain/feed/change.ts';
import { knownContainersOf } from '#shared/domain/registration/identifiers.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { composeJourney } from '#shared/domain/tracking/journey.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import { insertRegistrations } from '#shared/store/registration/insert-registrations.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { identifierEntries } from './existing-shipment.ts';
import type { Intake } from './registration-intake.ts';

/** A registration that is about no open shipment. `traceparent` is that of its request. */
export type FreshRow = { intake: Intake; traceparent: string | null };

/** `leased`: the first refresh is claimed, and must be put on the queue once the transaction is committed. */
export type CreatedShipment = { shipment: Shipment; connector: string; leased: boolean };

export type Creation = {
  ctx: CoreContext;
  accountId: string;
  test: boolean;
  rows: readonly FreshRow[];
  /** When the transaction began, by Postgres's clock: to the full and as it is stored. */
  now: Date;
  createdAt: Date;
};

/** Writes new shipments in one statement and gives them in order, null in place of one whose reference another shipment has by now. */
export async function createShipments(tx: Tx, creation: Creation): Promise<(CreatedShipment | null)[]> {
  const { ctx, accountId, test, rows } = creation;
  const composedAtMs = ctx.now().getTime();
  // Sorted, so that they stand in the order of the rows.
  const ids = rows.map(() => uuidv7(composedAtMs, crypto.getRandomValues(new Uint8Array(10)))).sort();
  const shipments = rows.map((row, place) => newShipment(row, { ...creation, id: ids[place] ?? '', composedAtMs }));
  const claims = await insertRegistrations(tx, accountId, {
    test,
    shipments: shipments.map((shipment, place) => {
      const { intake, traceparent } = rows[place] as FreshRow;
      const change: ChangeData = {
        shipment: shipmentSnapshot(shipment),
        changes: { status: [null, shipment.journey.status] },
      };
      return {
        ...intake,
        id: shipment.id,
        journey: shipment.journey,
        entries: identifierEntries(intake.registration),
        change,
        traceparent,
        journeyText: ctx.journeyText?.(shipment.journey) ?? null,
      };
    }),
    leaseS: ctx.settings.leaseS,
    maxLeases: ctx.producer === null ? 0 : ctx.settings.maxEagerLeases,
  });
  return shipments.map((shipment, place) => {
    const claim = claims.get(shipment.id);
    return claim === undefined
      ? null
      : { shipment, connector: rows[place]?.intake.connector ?? '', leased: claim.leased };
  });
}

/** The shipment as reading it will give it. */
function newShipment(
  { intake }: FreshRow,
  stored: Pick<Creation, 'accountId' | 'test' | 'now' | 'createdAt'> & { id: string; composedAtMs: number },
): Shipment {
  const { registration, carrierName, warnings } = intake;
  const { transportMode, identifiers } = registration;
  const createdAt = stored.createdAt.toISOString();
  return {
    id: stored.id,
    accountId: stored.accountId,
    test: stored.test,
    ...registration,
    carrierName,
    statusChangedAt: null,
    journey: composeJourney(
      { events: [], transportMode, knownContainers: knownContainersOf(identifiers) },
      stored.composedAtMs,
    ),
    tracking: {
      state: 'queued',
      reason: null,
      freshness: 'never',
      source: null,
      lastRefreshedAt: null,
      lastSucceededAt: null,
      lastChangedAt: null,
      nextRefreshAt: stored.now.toISOString(),
      consecutiveFailures: 0,
      traceId: null,
    },
    warnings,
    createdAt,
    updatedAt: createdAt,
    archivedAt: null,
    version: 1,
  };
}
