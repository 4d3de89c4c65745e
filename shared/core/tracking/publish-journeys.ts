import type { CarrierTime } from '#shared/domain/events/event.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import { statusRanks } from '#shared/domain/journey/status-transitions.ts';
import { type TransitionContext, transitionReason } from '#shared/domain/journey/transition-reason.ts';
import { positionOf } from '#shared/domain/lists/map-position.ts';
import type {
  Journey,
  RecordEvent,
  Shipment,
  ShipmentException,
  TrackingReason,
  TrackingState,
} from '#shared/domain/record/shipment.ts';
import type { JourneyText } from '#shared/domain/record/stored-record.ts';
import { matchValue } from '#shared/domain/registration/identifiers.ts';
import { approximatePoint } from '#shared/places/find-city.ts';
import { appendChanges, type NewChange } from '#shared/store/feed/changes.ts';
import { insertIdentifiers } from '#shared/store/registration/identifiers.ts';
import type { Write } from '#shared/store/send-in-order.ts';
import { touchShipments } from '#shared/store/shipments/client-fields.ts';
import { appendStatusChanges } from '#shared/store/shipments/status-changes.ts';
import { readShipments, updateJourneys } from '#shared/store/tracking/journeys.ts';
import type { Tx } from '#shared/store/with-account.ts';
import { newChange, type VisibleChange } from '../feed/visible-change.ts';

/** `shipment` is locked and holds the journey before; `statusChangedAt` is the time of the deciding event (ISO UTC). */
export type JourneyWrite = {
  shipment: Shipment;
  journey: Journey;
  statusChangedAt: string | null;
  context: TransitionContext;
  traceId: string | null;
  journeyText: JourneyText | null;
  /** False: clients need not read it again, so its version stays. Default: true. */
  isVisible?: boolean;
  /** True: `journey` is the stored one, so only the version rises. Its events may be missing. Default: false. */
  keepsJourney?: boolean;
};

/** `traceparent` is that of the refresh that found the changes. */
export type Publication = JourneyWrite & { visible: VisibleChange[]; traceparent: string | null };

/** Writes journeys of one account and appends their visible changes to the feed. The last writes of a transaction. */
export async function publishJourneys(tx: Tx, accountId: string, publications: readonly Publication[]): Promise<void> {
  if (publications.length === 0) return;
  await writeJourneys(tx, accountId, publications);
  await appendChanges(tx, accountId, await readChangesOf(tx, accountId, publications));
}

/** The changes of journeys that this transaction has written, with the shipments as they are now. */
export async function readChangesOf(
  tx: Tx,
  accountId: string,
  publications: readonly Publication[],
): Promise<NewChange[]> {
  const written = await readShipments(tx, accountId, {
    ids: publications.map(({ shipment }) => shipment.id),
    withEvents: false,
  });
  return publications.flatMap((publication) => {
    const now = written.get(publication.shipment.id);
    if (now === undefined) throw new Error('the shipment just written cannot be read');
    return changesOf(publication, now);
  });
}

/** The changes of a publication as the feed stores them. `now`: the shipment as it was written. */
export function changesOf(publication: Publication, now: Shipment): NewChange[] {
  const { shipment, traceparent } = publication;
  const snapshot = shipmentSnapshot(now);
  // Feed readers keep copies, so every new version appears, even if no specific change type applies.
  const visible: VisibleChange[] =
    publication.visible.length > 0 ? publication.visible : [{ type: 'shipment.updated', changes: {} }];
  return visible.map((change) =>
    newChange(change, { shipmentId: shipment.id, test: shipment.test, snapshot, traceparent }),
  );
}

/** Writes journeys and logs their status transitions. The events of the journeys must have been written before. */
export async function writeJourneys(tx: Tx, accountId: string, writes: readonly JourneyWrite[]): Promise<void> {
  for (const write of journeyWrites(accountId, writes)) await write(tx);
}

/** The same as writes that can be sent together. */
export function journeyWrites(accountId: string, writes: readonly JourneyWrite[]): Write[] {
  const kept = writes.filter(({ keepsJourney }) => keepsJourney === true).map(({ shipment }) => shipment.id);
  const composed = writes.filter(({ keepsJourney }) => keepsJourney !== true);
  const updates = composed.map(({ shipment, journey, statusChangedAt, journeyText, isVisible = true }) => {
    const closed = statusRanks[journey.status] >= statusRanks.delivered;
    const position = positionOf(journey, approximatePoint);
    return { shipment, journey, statusChangedAt, journeyText, closed, position, visible: isVisible };
  });
  const transitions = composed
    .filter(({ shipment, journey }) => journey.status !== shipment.journey.status)
    .map(({ shipment, journey, statusChangedAt, context, traceId }) => ({
      shipmentId: shipment.id,
      from: shipment.journey.status,
      to: journey.status,
      reason: transitionReason(shipment.journey, journey, context),
      evidence: journey.statusEvidence,
      reachedAt: statusChangedAt,
      traceId,
    }));
  return [
    (tx) => touchShipments(tx, accountId, kept),
    (tx) => updateJourneys(tx, accountId, updates),
    (tx) => appendStatusChanges(tx, accountId, transitions),
  ];
}

/** Makes the containers and pieces that the carrier named searchable, like the client's own identifiers. */
export async function addCarrierNumbers(
  tx: Tx,
  accountId: string,
  composed: readonly { shipment: Shipment; journey: Journey }[],
): Promise<void> {
  const added = composed.map(({ shipment, journey }) => {
    const known = new Set(numbersOf(shipment.journey).map(({ value }) => value));
    return {
      shipmentId: shipment.id,
      source: 'carrier' as const,
      test: shipment.test,
      transportMode: shipment.transportMode,
      carrier: shipment.carrier,
      entries: numbersOf(journey).filter(({ value }) => !known.has(value)),
    };
  });
  await insertIdentifiers(tx, accountId, ...added);
}

function numbersOf({ containers, pieces }: Pick<Journey, 'containers' | 'pieces'>) {
  return [
    ...containers.map(({ number }) => ({ key: 'container' as const, value: number })),
    ...pieces.map(({ trackingNumber }) => ({ key: 'tracking_number' as const, value: trackingNumber })),
  ].map((entry) => ({ ...entry, matchValue: matchValue(entry.value) }));
}

type TrackingNow = { state: TrackingState; reason: TrackingReason | null };

/** Clients are not notified about a smaller shift within the same local date. */
const minEtaChangeMs = 6 * 3600 * 1000;

/**
 * Finds the changes that a client sees between two journeys and tracking states, in the order of the feed. `added`: the
 * events that are new in the journey after. Empty: the new events only add detail to known facts.
 */
export function findVisibleChanges(
  before: { journey: Journey; tracking: TrackingNow },
  after: { journey: Journey; tracking: TrackingNow; added?: readonly RecordEvent[] },
): VisibleChange[] {
  const [old, now] = [before.journey, after.journey];
  const found: VisibleChange[] = [];
  if (old.eventsCount !== now.eventsCount && after.added?.length !== 0)
    found.push({
      type: 'shipment.event_added',
      changes: { eventsCount: [old.eventsCount, now.eventsCount] },
      added: after.added ?? [],
    });

  const known = new Set(old.containers.map((container) => container.number));
  const added = now.containers.filter((container) => !known.has(container.number)).map((container) => container.number);
  if (added.length > 0)
    found.push({ type: 'shipment.container_added', changes: { containers: [[...known], [...known, ...added]] } });

  if (old.status !== now.status)
    found.push({ type: 'shipment.status_changed', changes: { status: [old.status, now.status] } });
  const [oldEta, newEta] = [old.eta?.time ?? null, now.eta?.time ?? null];
  if (isEtaChange(oldEta, newEta)) found.push({ type: 'shipment.eta_changed', changes: { eta: [oldEta, newEta] } });

  found.push(...findExceptionChanges(old, now));

  if (clockText(old) !== clockText(now)) {
    const [before, after] = [old.freeTime, now.freeTime];
    found.push({
      type: 'shipment.free_time_changed',
      changes: {
        freeTime: [before?.state ?? null, after?.state ?? null],
        lastFreeDay: [before?.lastFreeDay ?? null, after?.lastFreeDay ?? null],
      },
    });
  }

  if (old.status !== 'delivered' && now.status === 'delivered')
    found.push({ type: 'shipment.delivered', changes: { status: [old.status, now.status] } });
  if (before.tracking.state !== after.tracking.state || before.tracking.reason !== after.tracking.reason) {
    found.push({
      type: 'shipment.tracking_state_changed',
      changes: {
        trackingState: [before.tracking.state, after.tracking.state],
        trackingReason: [before.tracking.reason, after.tracking.reason],
      },
    });
  }
  return found;
}

/** States and last free days of all clocks but those of which nothing is known. Days left and costs change every day. */
function clockText({ containers }: Journey): string {
  return containers
    .flatMap(({ number, freeTime }) =>
      (freeTime?.clocks ?? [])
        .filter(({ state, lastFreeDay }) => state !== 'not_started' || lastFreeDay !== null)
        .map(({ kind, state, lastFreeDay }) => `${number} ${kind} ${state} ${lastFreeDay}`),
    )
    .sort()
    .join('\n');
}

function isEtaChange(before: CarrierTime | null, after: CarrierTime | null): boolean {
  if (before === null || after === null) return before !== after;
  return (
    before.local.slice(0, 10) !== after.local.slice(0, 10) ||
    Math.abs(Date.parse(before.at) - Date.parse(after.at)) >= minEtaChangeMs
  );
}

/** An exception whose event was replaced continues under the new event: it neither opens nor resolves. */
function findExceptionChanges(old: Journey, now: Journey): VisibleChange[] {
  const wasOpen = openExceptions(old);
  const isOpen = openExceptions(now);
  const all = new Map(now.exceptions.map((exception) => [keyOf(exception), exception]));
  const replaced = [...wasOpen].filter(([key]) => !all.has(key)).map(([, exception]) => exception);
  const found: VisibleChange[] = [];
  for (const [key, exception] of isOpen) {
    if (wasOpen.has(key)) continue;
    const before = replaced.findIndex((candidate) => isContinued(candidate, exception));
    if (before >= 0) replaced.splice(before, 1);
    else found.push({ type: 'shipment.exception_opened', changes: { exception: [null, exception] } });
  }
  for (const [key, exception] of wasOpen) {
    const after = all.get(key);
    if (after !== undefined && after.resolvedAt !== null)
      found.push({ type: 'shipment.exception_resolved', changes: { exception: [exception, after] } });
  }
  for (const exception of replaced)
    found.push({ type: 'shipment.exception_resolved', changes: { exception: [exception, null] } });
  return found;
}

/** True when an exception is that of another event. A clock's is also that of the same clock. */
function isContinued(before: ShipmentException, after: ShipmentException): boolean {
  if (before.code !== after.code || before.clock !== after.clock) return false;
  return after.clock === undefined || before.container === after.container;
}

function openExceptions(journey: Journey): Map<string, ShipmentException> {
  const open = journey.exceptions.filter((exception) => exception.resolvedAt === null);
  return new Map(open.map((exception) => [keyOf(exception), exception]));
}

/** One exception of one event for each container and clock. */
function keyOf({ code, eventId, container, clock }: ShipmentException): string {
  return [code, eventId, container, clock].join(' ');
}
