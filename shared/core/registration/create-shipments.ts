import type { ChangeData } from '#shared/domain/feed/change.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import { identifierEntries, knownContainersOf } from '#shared/domain/registration/identifiers.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { composeJourney } from '#shared/domain/tracking/journey.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import { insertRegistrations } from '#shared/store/registration/registrations.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import type { PreparedRegistration } from './prepare-registration.ts';

/** `leased`: its first refresh is claimed. Put it on the queue after the commit. */
export type CreatedShipment = { shipment: Shipment; leased: boolean };

type FreshRow = { prepared: PreparedRegistration; traceparent: string | null };

type Creation = {
  ctx: CoreContext;
  accountId: string;
  test: boolean;
  rows: readonly FreshRow[];
  /** When the transaction began by Postgres's clock: in full, and as it is stored. */
  now: Date;
  createdAt: Date;
  /** A client waits for the first status of each. */
  hurried: boolean;
};

/**
 * Writes new shipments in one statement. Returns them in the order of the rows, with null for one whose reference
 * another shipment has taken meanwhile.
 */
export async function createShipments(tx: Tx, creation: Creation): Promise<(CreatedShipment | null)[]> {
  const { ctx, accountId, test, rows } = creation;
  const composedAtMs = ctx.now().getTime();
  // Sorted: ids ascend in the order of the rows.
  const ids = rows.map(() => uuidv7(composedAtMs, crypto.getRandomValues(new Uint8Array(10)))).sort();
  const shipments = rows.map((row, place) => newShipment(row, { ...creation, id: ids[place] ?? '', composedAtMs }));
  const claims = await insertRegistrations(tx, accountId, {
    test,
    shipments: shipments.map((shipment, place) => {
      const { prepared, traceparent } = rows[place] as FreshRow;
      const change: ChangeData = {
        shipment: shipmentSnapshot(shipment),
        changes: { status: [null, shipment.journey.status] },
      };
      return {
        ...prepared,
        id: shipment.id,
        journey: shipment.journey,
        entries: identifierEntries(prepared.registration),
        change,
        traceparent,
        journeyText: ctx.journeyText?.(shipment.journey) ?? null,
      };
    }),
    leaseS: ctx.settings.leaseS,
    maxLeases: ctx.producer === null ? 0 : ctx.settings.maxEagerLeases,
    hurried: creation.hurried,
  });
  return shipments.map((shipment) => {
    const claim = claims.get(shipment.id);
    return claim === undefined ? null : { shipment, leased: claim.leased };
  });
}

/** The shipment exactly as reading it returns it. */
function newShipment(
  { prepared }: FreshRow,
  stored: Pick<Creation, 'accountId' | 'test' | 'now' | 'createdAt'> & { id: string; composedAtMs: number },
): Shipment {
  const { registration, carrierName, warnings } = prepared;
  const { transportMode, identifiers } = registration;
  const createdAt = stored.createdAt.toISOString();
  return {
    id: stored.id,
    accountId: stored.accountId,
    test: stored.test,
    ...registration,
    carrierName,
    statusChangedAt: null,
    overdueHours: null,
    late: false,
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
      traceKept: false,
    },
    needsAttention: false,
    warnings,
    createdAt,
    updatedAt: createdAt,
    archivedAt: null,
    version: 1,
  };
}
