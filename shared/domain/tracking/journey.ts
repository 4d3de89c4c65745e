import { knownContainersOf } from '../registration/identifiers.ts';
import { findExceptions, type OpenedException } from '../shipments/exceptions.ts';
import type {
  ContainerState,
  EventFlag,
  Journey,
  RecordEvent,
  Shipment,
  ShipmentException,
  Status,
} from '../shipments/shipment.ts';
import { type ContainerFold, compareFoldEvents, foldStatus } from '../shipments/status.ts';
import type { TransportMode } from '../shipments/transport-mode.ts';
import type { EventCode, LegRole, Place, TrackingEvent } from './event.ts';
import { compareText, eventTimeMs, isLive, isSuspectFuture, seenAt, uniqueEvents } from './event-order.ts';
import { composeLegs, type Legs } from './journey-legs.ts';
import { bestPlace } from './journey-place.ts';
import { readTimes } from './journey-times.ts';
import { assignLegRoles } from './leg-roles.ts';

export type JourneyInput = {
  /** Every stored event of the shipment, including voided and superseded ones, before roles are inferred. */
  events: readonly TrackingEvent[];
  transportMode: TransportMode;
  /** Container numbers that the client registered, as the carrier writes them. */
  knownContainers?: readonly string[];
};

/** Events that the record itself contains. `…/events` has all. */
export const maxRecordEvents = 50;

// About documents, not cargo: these say nothing about where the goods are.
const paperCodes: readonly EventCode[] = [
  'information_received',
  'booking_confirmed',
  'document_issued',
  'manifested',
  'consignee_notified',
  'documents_delivered',
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
  'other',
];
const leavingCodes: readonly EventCode[] = ['departed', 'rail_departed', 'departed_facility'];

/** `statusChangedAt` (ISO UTC): the time of the event that decided the journey's status. Null: there is none. */
export type ComposedJourney = { journey: Journey; statusChangedAt: string | null };

/**
 * Computes the carrier's part of the record from all events. Pure: neither order nor duplicates of the events matter.
 */
export function composeJourney(input: JourneyInput, nowMs: number): Journey {
  return composeDatedJourney(input, nowMs).journey;
}

/** The same, with the time at which its status began. */
export function composeDatedJourney(
  { events, transportMode, knownContainers = [] }: JourneyInput,
  nowMs: number,
): ComposedJourney {
  const unique = withRoles(uniqueEvents(events), transportMode);
  const live = unique.filter(isLive);
  const current = live.filter((event) => isBelievable(event, nowMs));
  const happened = current.filter((event) => event.classifier === 'actual').sort(compareFoldEvents);

  const fold = foldStatus(unique, nowMs, knownContainers);
  const { legs, legOf } = composeLegs(current, transportMode);
  const { delay, delivery, ...times } = readTimes(unique.filter((event) => isBelievable(event, nowMs)));
  const opened = findExceptions(happened);
  const exceptions = withDelay(opened, delay);
  const toRecord = (event: TrackingEvent) => toRecordEvent(event, legOf, nowMs);
  const latest = happened.findLast((event) => !silentCodes.includes(event.code)) ?? happened.at(-1);
  const evidence = fold.decidedBy;

  const journey: Journey = {
    status: fold.status,
    statusEvidence: evidence === null ? null : { eventId: evidence.id, code: evidence.code, source: evidence.source },
    latestEvent: latest === undefined ? null : toRecord(latest),
    origin: placeOfRoles(current, ['pol', 'origin']),
    destination: placeOfRoles(current, ['pod', 'destination']),
    currentLocation: currentLocation(happened),
    ...times,
    delivery: { estimated: delivery.estimated, actual: fold.status === 'delivered' ? delivery.actual : null },
    legs,
    containers: fold.containers.map((container) => composeContainer(container, live, opened)),
    containerStatusCounts: countStatuses(fold.containers),
    exceptions,
    hasException: exceptions.some((exception) => exception.resolvedAt === null),
    eventsCount: unique.length,
    events: unique.sort(compareNewestFirst).slice(0, maxRecordEvents).map(toRecord),
    nextEligibleAt: fold.nextEligibleAt,
  };
  return { journey, statusChangedAt: fold.statusChangedAt };
}

/** The journey that these events make of a shipment at this time, and when it reached its status. */
export function composeFrom(
  events: readonly TrackingEvent[],
  { transportMode, identifiers }: Pick<Shipment, 'transportMode' | 'identifiers'>,
  nowMs: number,
): ComposedJourney {
  return composeDatedJourney({ events, transportMode, knownContainers: knownContainersOf(identifiers) }, nowMs);
}

/**
 * The whole history, newest first, each event as the record shows it, including superseded and voided ones with their
 * flags.
 */
export function composeHistory({ events, transportMode }: JourneyInput, nowMs: number): RecordEvent[] {
  const unique = withRoles(uniqueEvents(events), transportMode);
  const { legOf } = composeLegs(
    unique.filter((event) => isLive(event) && isBelievable(event, nowMs)),
    transportMode,
  );
  return unique.sort(compareNewestFirst).map((event) => toRecordEvent(event, legOf, nowMs));
}

function isBelievable(event: TrackingEvent, nowMs: number): boolean {
  return event.classifier !== 'actual' || !isSuspectFuture(event, nowMs);
}

function toRecordEvent(event: TrackingEvent, legOf: Legs['legOf'], nowMs: number): RecordEvent {
  return { ...event, leg: legOf(event), flags: flagsOf(event, nowMs) };
}

/** An event without a mode gets the shipment's. The stored mode stays as it is. */
function withRoles(events: readonly TrackingEvent[], transportMode: TransportMode): TrackingEvent[] {
  const roles = assignLegRoles(events.map((event) => ({ ...event, mode: event.mode ?? transportMode })));
  return events.map((event, index) => ({ ...event, legRole: roles[index]?.legRole ?? event.legRole }));
}

function withDelay(opened: readonly OpenedException[], delay: ShipmentException | null): ShipmentException[] {
  const exceptions: ShipmentException[] = opened.map(({ container: _container, ...exception }) => exception);
  // The computed delay has the hours. The carrier's bare notice of the same delay would only repeat it.
  const kept =
    delay === null
      ? exceptions
      : exceptions.filter((exception) => exception.code !== 'delayed' || exception.resolvedAt !== null);
  const all = delay === null ? kept : [...kept, delay];
  return all.sort(
    (left, right) => compareText(left.openedAt, right.openedAt) || compareText(left.eventId, right.eventId),
  );
}

function placeOfRoles(events: readonly TrackingEvent[], roles: readonly LegRole[]): Place | null {
  for (const role of roles) {
    const place = bestPlace(events.filter((event) => event.legRole === role));
    if (place !== null) return place;
  }
  return null;
}

/** Where the last event left the cargo. Null: it is between places. */
function currentLocation(happened: readonly TrackingEvent[]): Place | null {
  const moved = happened.filter((event) => !paperCodes.includes(event.code) && event.location !== null);
  const shipsOnward = (event: TrackingEvent) => event.legRole === 'pod' && event.code === 'departed';
  const last = moved.filter((event) => !shipsOnward(event)).at(-1);
  return last === undefined || leavingCodes.includes(last.code) ? null : last.location;
}

function composeContainer(
  fold: ContainerFold,
  live: readonly TrackingEvent[],
  opened: readonly OpenedException[],
): ContainerState {
  const own = live.filter((event) => event.container === fold.number).sort(compareSeen);
  const holds = opened.filter(
    (exception) =>
      exception.code.endsWith('_hold') &&
      exception.resolvedAt === null &&
      (exception.container === null || exception.container === fold.number),
  );
  return {
    number: fold.number,
    isoType: own.findLast((event) => event.isoType !== null)?.isoType ?? null,
    status: fold.status,
    seals: [...new Set(own.findLast((event) => event.seals.length > 0)?.seals ?? [])].sort(compareText),
    holds: [...new Set(holds.map((exception) => exception.code))].sort(compareText),
    lastFreeDay: null,
    decidingEventId: fold.decidedBy?.id ?? null,
  };
}

function compareSeen(left: TrackingEvent, right: TrackingEvent): number {
  return (
    compareText(seenAt(left), seenAt(right)) ||
    eventTimeMs(left) - eventTimeMs(right) ||
    compareText(left.dedupeKey, right.dedupeKey)
  );
}

function countStatuses(containers: readonly ContainerFold[]): Partial<Record<Status, number>> {
  const counts: Partial<Record<Status, number>> = {};
  for (const { status } of containers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function flagsOf(event: TrackingEvent, nowMs: number): EventFlag[] {
  const flags: EventFlag[] = [];
  if (event.classifier === 'actual' && isSuspectFuture(event, nowMs)) flags.push('suspect_future');
  if (event.voidedAt !== null) flags.push('voided');
  if (event.supersededBy !== null) flags.push('superseded');
  return flags;
}

function compareNewestFirst(left: TrackingEvent, right: TrackingEvent): number {
  return -compareFoldEvents(left, right);
}
