import type { EventCode, LegRole, Place, StatedFacts, StatedRoute, TrackingEvent } from '../events/event.ts';
import { isLive, isSuspectFuture } from '../events/event-order.ts';
import { bestPlace } from '../events/event-place.ts';
import { shownSource } from '../events/event-subject.ts';
import { placeKey } from '../events/place-key.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import { assessFreeTime } from '../free-time/assess-free-time.ts';
import type { FreeTimeInput } from '../free-time/container-clocks.ts';
import { type FreeTimeRules, noFreeTimeRules } from '../free-time/terms.ts';
import { compareExceptions, findExceptions } from '../record/exceptions.ts';
import type { Journey, RecordEvent, Shipment, ShipmentException } from '../record/shipment.ts';
import { knownContainersOf } from '../registration/identifiers.ts';
import { composeDelivery, pickupPointOf, returnOf } from './delivery.ts';
import { partDeliveries } from './delivery-events.ts';
import { earlierStops } from './earlier-stops.ts';
import { fulfilledPlans } from './fulfilled-plans.ts';
import { composeLegs } from './journey-legs.ts';
import { readTimes } from './journey-times.ts';
import { type History, orderHistory } from './order-history.ts';
import { composeContainers, composePieces, countStatuses } from './part-states.ts';
import { eventsOfTrip, type LoneContainer, loneContainerOf } from './present-trip.ts';
import { ofOtherTrip, recordEvents, toRecordEvent } from './record-events.ts';
import { compareFoldEvents, foldStatus, type KnownParts } from './status.ts';

export type JourneyInput = {
  /** Every stored event of the shipment, including voided and superseded ones, before roles are inferred. */
  events: readonly TrackingEvent[];
  transportMode: TransportMode;
  /** Container numbers that the client registered, as the carrier writes them. */
  knownContainers?: readonly string[];
  /** The shipment's own number as the carrier writes it. */
  trackingNumber?: string | null;
  /** Start and end of the shipment as the carrier states them. */
  statedRoute?: StatedRoute | undefined;
  /** The carrier's facts on the whole shipment. */
  facts?: StatedFacts | undefined;
  /** Absent: no terms apply, and nothing is set by hand. */
  freeTime?: FreeTimeInput;
  /** Null or absent: all events are of this shipment's trip. */
  loneContainer?: LoneContainer | null;
};

/** Modes whose containers have free time. */
const freeTimeModes: readonly TransportMode[] = ['ocean', 'rail'];
const noFreeTimeInput: FreeTimeInput = { carrier: null, rules: noFreeTimeRules, manual: [] };

// About documents, not cargo: these say nothing about where the goods are.
const paperCodes: readonly EventCode[] = [
  'information_received',
  'booking_confirmed',
  'document_issued',
  'manifested',
  'consignee_notified',
  'documents_delivered',
  'notice',
  'delayed',
  'cancelled',
  'other',
];
// Documents, and codes without a meaning of their own. They replace the last movement only if there is none.
const silentCodes: readonly EventCode[] = [
  'information_received',
  'booking_confirmed',
  'document_issued',
  'manifested',
  'notice',
  'other',
];
const leavingCodes: readonly EventCode[] = ['departed', 'rail_departed', 'departed_facility'];

/** `statusChangedAt` (ISO UTC): the time of the event that decided the journey's status. Null: there is none. */
export type ComposedJourney = {
  journey: Journey;
  statusChangedAt: string | null;
  /** These events as the record shows them, in its order, beyond the 50 that it contains. */
  eventsOf: (ids: readonly string[]) => RecordEvent[];
};

/**
 * Computes the carrier's part of the record from all events. Pure: neither order nor duplicates of the events matter.
 */
export function composeJourney(input: JourneyInput, nowMs: number): Journey {
  return composeDatedJourney(input, nowMs).journey;
}

/** The same, with the time at which its status began. */
export function composeDatedJourney(input: JourneyInput, nowMs: number): ComposedJourney {
  const { transportMode, trackingNumber = null, statedRoute, facts } = input;
  const { all, unique } = eventsOfTrip(input, nowMs);
  const live = unique.filter(isLive);
  const current = live.filter((event) => isBelievable(event, nowMs));
  const happened = current.filter((event) => event.classifier === 'actual').sort(compareFoldEvents);

  const isCounting = ofWholeShipment({ happened, unique }, input);
  const counting = happened.filter(isCounting);
  const fold = foldStatus(unique.filter(isCounting), nowMs, knownPartsOf(input));
  const believable = unique.filter((event) => isBelievable(event, nowMs));
  const { legs, legOf } = composeLegs(believable, transportMode);
  const isDelivered = fold.status === 'delivered';
  const timing = { isDelivered, pieces: fold.pieces };
  const { delay, deliveryEvents, ...times } = readTimes(believable.filter(isCounting), timing);
  const opened = findExceptions(counting);
  const exceptions = withDelay(opened, delay);
  const fulfilled = fulfilledPlans(unique, counting, fold);
  const toRecord = (event: TrackingEvent) => toRecordEvent(event, { legOf, fulfilled }, nowMs);
  const latest = happened.findLast((event) => !silentCodes.includes(event.code)) ?? happened.at(-1);
  const evidence = fold.decidedBy;
  const handover = { happened, fold, facts };

  const destination = endOf(unique, statedRoute?.destination, placeOfRoles(current, ['pod', 'destination']));
  const hasFreeTime = freeTimeModes.includes(transportMode);

  const composed: Journey = {
    status: fold.status,
    statusEvidence:
      evidence === null ? null : { eventId: evidence.id, code: evidence.code, source: shownSource(evidence) },
    statusDetail: fold.statusDetail,
    latestEvent: latest === undefined ? null : toRecord(latest),
    origin: endOf(unique, statedRoute?.origin, placeOfRoles(current, ['pol', 'origin'])),
    destination,
    ...(statedRoute === undefined ? {} : { statedRoute }),
    currentLocation: currentLocation(happened),
    ...times,
    delivery: composeDelivery(deliveryEvents, transportMode, handover),
    service: facts?.service ?? null,
    weightKg: facts?.weightKg ?? null,
    piecesCount: Math.max(facts?.piecesCount ?? 0, fold.pieces.length) || null,
    pieces: composePieces(fold.pieces, live, { facts, trackingNumber }),
    pickupPoint: pickupPointOf(handover),
    returned: returnOf(handover),
    ...(facts === undefined ? {} : { facts }),
    legs,
    containers: composeContainers(fold.containers, { live, happened: counting, destination, hasFreeTime }),
    freeTime: null,
    containerStatusCounts: countStatuses(fold.containers),
    exceptions,
    hasException: exceptions.some((exception) => exception.resolvedAt === null),
    eventsCount: all.length,
    events: recordEvents(unique.map(toRecord)),
    nextEligibleAt: fold.nextEligibleAt,
  };
  const journey = hasFreeTime ? assessFreeTime(composed, input.freeTime ?? noFreeTimeInput, nowMs) : composed;
  const eventsOf = (ids: readonly string[]): RecordEvent[] => {
    const wanted = new Set(ids);
    const history = orderHistory(unique.filter(({ id }) => wanted.has(id)).map(toRecord));
    return [...history.happened, ...history.ahead, ...history.replaced];
  };
  return { journey, statusChangedAt: fold.statusChangedAt, eventsOf };
}

/**
 * The journey that these events make of a shipment at this time, and when it reached its status. What the carrier
 * stated beside its events stays.
 */
export function composeFrom(
  events: readonly TrackingEvent[],
  shipment: ComposableShipment,
  { nowMs, rules, isTrackingEnded = false }: ComposingAt,
): ComposedJourney {
  const { freeTime, ...input } = inputOf(events, shipment, rules);
  return composeDatedJourney({ ...input, freeTime: { ...freeTime, isTrackingEnded } }, nowMs);
}

/**
 * The whole history, each event as the record shows it, including superseded and voided ones with their flags: what
 * happened, and apart from it what is still open and what was replaced.
 */
export function composeHistory(events: readonly TrackingEvent[], shipment: ComposableShipment, nowMs: number): History {
  const input = inputOf(events, shipment);
  const { transportMode } = input;
  const { others, unique } = eventsOfTrip(input, nowMs);
  const believable = unique.filter((event) => isBelievable(event, nowMs));
  const { legOf } = composeLegs(believable, transportMode);
  const happened = believable.filter((event) => isLive(event) && event.classifier === 'actual').sort(compareFoldEvents);
  const isCounting = ofWholeShipment({ happened, unique }, input);
  const fold = foldStatus(unique.filter(isCounting), nowMs, knownPartsOf(input));
  const fulfilled = fulfilledPlans(unique, happened.filter(isCounting), fold);
  const shown = [
    ...unique.map((event) => toRecordEvent(event, { legOf, fulfilled }, nowMs)),
    ...others.map(ofOtherTrip),
  ];
  return orderHistory(shown);
}

/** When, and under which free-time terms. Absent: none apply, and tracking goes on. */
export type ComposingAt = { nowMs: number; rules?: FreeTimeRules; isTrackingEnded?: boolean };

type ComposableShipment = Pick<Shipment, 'transportMode' | 'identifiers' | 'manualFreeDays'> & {
  /** Absent: only terms of any carrier apply. */
  carrier?: string | null;
  /** Absent: all events are of this shipment's trip. */
  createdAt?: string;
  journey: Pick<Journey, 'statedRoute' | 'facts'>;
};

function inputOf(
  events: readonly TrackingEvent[],
  {
    transportMode,
    carrier = null,
    identifiers,
    createdAt,
    manualFreeDays = [],
    journey: { statedRoute, facts },
  }: ComposableShipment,
  rules: FreeTimeRules = noFreeTimeRules,
): JourneyInput & { freeTime: FreeTimeInput } {
  const trackingNumber = identifiers.tracking_number?.replace(/[\s\p{Pd}]/gu, '').toUpperCase() ?? null;
  const freeTime = { carrier, rules, manual: manualFreeDays };
  const knownContainers = knownContainersOf(identifiers);
  const loneContainer = loneContainerOf(identifiers, transportMode, createdAt);
  return { events, transportMode, knownContainers, trackingNumber, statedRoute, facts, freeTime, loneContainer };
}

function knownPartsOf({ knownContainers = [], facts }: JourneyInput): KnownParts {
  return { containers: knownContainers, pieces: facts?.pieces?.map(({ trackingNumber }) => trackingNumber) ?? [] };
}

/** Distinguishes events of the whole shipment from deliveries of a part or at an earlier stop. */
function ofWholeShipment(
  { happened, unique }: { happened: readonly TrackingEvent[]; unique: readonly TrackingEvent[] },
  { transportMode, facts }: JourneyInput,
): (event: { id: string }) => boolean {
  const partial = partDeliveries(happened, facts?.piecesCount).union(earlierStops(unique, transportMode));
  return ({ id }) => !partial.has(id);
}

function isBelievable(event: TrackingEvent, nowMs: number): boolean {
  return event.classifier !== 'actual' || !isSuspectFuture(event, nowMs);
}

function withDelay(exceptions: readonly ShipmentException[], delay: ShipmentException | null): ShipmentException[] {
  // The computed delay has the hours. The carrier's bare notice of the same delay would only repeat it.
  const kept =
    delay === null
      ? exceptions
      : exceptions.filter((exception) => exception.code !== 'delayed' || exception.resolvedAt !== null);
  return (delay === null ? [...kept] : [...kept, delay]).sort(compareExceptions);
}

function placeOfRoles(events: readonly TrackingEvent[], roles: readonly LegRole[]): Place | null {
  for (const role of roles) {
    const place = bestPlace(events.filter((event) => event.legRole === role));
    if (place !== null) return place;
  }
  return null;
}

/**
 * An end of the journey: the place that the carrier states, or that of the events where it states no more than a
 * country. Without events there is no journey yet.
 */
function endOf(events: readonly unknown[], stated: Place | null | undefined, shown: Place | null): Place | null {
  if (stated === null || stated === undefined || events.length === 0) return shown;
  return placeKey(stated) === null ? (shown ?? stated) : stated;
}

/** Returns the place where the last event left the cargo. Null: it is between places. */
function currentLocation(happened: readonly TrackingEvent[]): Place | null {
  const moved = happened.filter((event) => !paperCodes.includes(event.code) && event.location !== null);
  const shipsOnward = (event: TrackingEvent) => event.legRole === 'pod' && event.code === 'departed';
  const last = moved.filter((event) => !shipsOnward(event)).at(-1);
  return last === undefined || leavingCodes.includes(last.code) ? null : last.location;
}
