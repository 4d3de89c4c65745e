import { awaitingEvents } from '#shared/domain/events-in/pushed-tracking.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { Journey, Shipment } from '#shared/domain/record/shipment.ts';
import { withoutStated } from '#shared/domain/record/stated-fields.ts';
import { knownContainersOf } from '#shared/domain/registration/identifiers.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import { insertRegistrations, type NewJourney, type NewShipments } from '#shared/store/registration/registrations.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import type { PreparedRegistration, RegistrationRow } from './prepare-registration.ts';

/** New shipments in the order of their rows, and the statement that writes them: it returns the ids of leased ones. */
type ComposedShipments = { shipments: Shipment[]; insert: (tx: Tx) => Promise<ReadonlySet<string>> };

/** Random bytes of a UUIDv7. */
const idBytes = 10;

type Creation = {
  ctx: CoreContext;
  accountId: string;
  test: boolean;
  rows: readonly RegistrationRow[];
  /** When the transaction began by Postgres's clock: in full, and as it is stored. */
  now: Date;
  createdAt: Date;
  /** A client waits for the first status of each. */
  hurried: boolean;
};

/**
 * Writes new shipments in one statement and returns them in the order of the rows. Throws as `insertRegistrations`.
 * `leased`: the first refresh is claimed. Put it on the queue after the commit.
 */
export async function createShipments(tx: Tx, creation: Creation): Promise<{ shipment: Shipment; leased: boolean }[]> {
  const { shipments, insert } = composeShipments(creation);
  const leased = await insert(tx);
  return shipments.map((shipment) => ({ shipment, leased: leased.has(shipment.id) }));
}

/** Composes new shipments. Their statement is the only one that they need and decides nothing about them but leases. */
export function composeShipments(creation: Creation): ComposedShipments {
  const { ctx, accountId, test, rows } = creation;
  const composedAtMs = ctx.now().getTime();
  const ids = newIds(rows.length, composedAtMs);
  const journeyOf = createJourneys(composedAtMs);
  const shipments = rows.map((row, place) =>
    newShipment(row, { ...creation, id: ids[place] ?? '', journey: journeyOf(row.prepared) }),
  );
  const newJourneys = new Map<Journey, NewJourney>();
  const added: NewShipments = {
    test,
    shipments: shipments.map((shipment, place) => {
      const { prepared, traceparent } = rows[place] as RegistrationRow;
      const journey = newJourneys.get(shipment.journey) ?? newJourneyOf(ctx, shipment);
      newJourneys.set(shipment.journey, journey);
      return { ...prepared, id: shipment.id, journey, traceparent };
    }),
    leaseS: ctx.settings.leaseS,
    maxLeases: ctx.producer === null ? 0 : ctx.settings.maxEagerLeases,
    hurried: creation.hurried,
  };
  return { shipments, insert: (tx) => insertRegistrations(tx, accountId, added) };
}

/** New UUIDs of this time in ascending order. */
function newIds(count: number, nowMs: number): string[] {
  // One call for all: each costs more than making an id from what it returns.
  const random = crypto.getRandomValues(new Uint8Array(count * idBytes));
  return Array.from({ length: count }, (_, place) =>
    uuidv7(nowMs, random.subarray(place * idBytes, (place + 1) * idBytes)),
  ).sort();
}

/** The journey of a shipment without events. Those of the same mode and containers share one. */
function createJourneys(composedAtMs: number): (prepared: PreparedRegistration) => Journey {
  const composed = new Map<string, Journey>();
  return ({ registration: { transportMode, identifiers }, staleAfterHours }) => {
    // Their first change differs in how they are tracked.
    const isPushed = staleAfterHours !== null;
    const knownContainers = knownContainersOf(identifiers);
    const name = [transportMode, isPushed ? 'pushed' : 'polled', ...knownContainers].join(' ');
    const journey = composed.get(name) ?? composeJourney({ events: [], transportMode, knownContainers }, composedAtMs);
    composed.set(name, journey);
    return journey;
  };
}

/** Fields that a new shipment shares with those of the same journey that are created with it. */
function newJourneyOf(ctx: CoreContext, shipment: Shipment): NewJourney {
  const { journey } = shipment;
  const { id, transportMode, carrier, carrierName, identifiers, ...others } = shipmentSnapshot(shipment);
  return { journey, text: ctx.journeyText?.(journey) ?? null, snapshot: withoutStated(others) };
}

/** The shipment exactly as reading it returns it. */
function newShipment(
  { prepared }: RegistrationRow,
  stored: Pick<Creation, 'accountId' | 'test' | 'now' | 'createdAt'> & Pick<Shipment, 'id' | 'journey'>,
): Shipment {
  const { registration, carrierName, warnings, staleAfterHours } = prepared;
  const isPushed = staleAfterHours !== null;
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
    journey: stored.journey,
    tracking: {
      mode: isPushed ? 'pushed' : 'polled',
      staleAfterHours,
      ...(isPushed ? awaitingEvents : { state: 'queued', reason: null }),
      freshness: 'never',
      source: null,
      lastRefreshedAt: null,
      lastSucceededAt: null,
      lastChangedAt: null,
      nextRefreshAt: isPushed ? null : stored.now.toISOString(),
      consecutiveFailures: 0,
      traceId: null,
      traceKept: false,
    },
    needsAttention: false,
    warnings,
    manualFreeDays: [],
    createdAt,
    updatedAt: createdAt,
    archivedAt: null,
    version: 1,
    currentPosition: null,
  };
}
