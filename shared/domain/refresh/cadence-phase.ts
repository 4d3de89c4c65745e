import type { CarrierTime, TrackingEvent } from '../events/event.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import type { Journey, TimeTriple } from '../record/shipment.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A planned or estimated departure or arrival this close (before or after) shortens the interval (ms). */
const nearWindowMs = 48 * hourMs;
const overdueFirstMs = 24 * hourMs;

/** The part of a journey that cadence and connectors read. */
export type CadenceJourney = Pick<Journey, 'status' | 'statusEvidence' | 'departure' | 'nextEligibleAt'> & {
  arrival: TimeTriple;
  delivery: TimeTriple;
  latestEvent: Pick<TrackingEvent, 'code' | 'legRole'> | null;
  legs: Pick<Journey['legs'][number], 'departure' | 'arrival'>[];
  containers: Pick<Journey['containers'][number], 'number' | 'status'>[];
  events: Pick<
    TrackingEvent,
    'id' | 'code' | 'classifier' | 'time' | 'container' | 'sourceEventId' | 'supersededBy' | 'voidedAt'
  >[];
};

/** The journey reduced to what refreshes need: a tenth of its size with the same schedule. */
export function cadenceOf(journey: CadenceJourney): CadenceJourney {
  const { status, statusEvidence, departure, arrival, delivery, nextEligibleAt, latestEvent } = journey;
  const followed = journey.events.find((event) => event.sourceEventId !== null);
  const events = journey.events.filter(
    (event) => event === followed || event.id === statusEvidence?.eventId || event.code === 'gate_in_empty',
  );
  return {
    status,
    statusEvidence,
    departure,
    arrival,
    delivery: { planned: delivery.planned, estimated: delivery.estimated, actual: delivery.actual },
    nextEligibleAt,
    latestEvent: latestEvent && { code: latestEvent.code, legRole: latestEvent.legRole },
    legs: journey.legs.map((leg) => ({ departure: leg.departure, arrival: leg.arrival })),
    containers: journey.containers.map((container) => ({ number: container.number, status: container.status })),
    events: events.map(({ id, code, classifier, time, container, sourceEventId, supersededBy, voidedAt }) => {
      return { id, code, classifier, time, container, sourceEventId, supersededBy, voidedAt };
    }),
  };
}

type Phase = 'booked' | 'near' | 'on_board' | 'arrived' | 'out_for_delivery' | 'delivered' | 'overdue' | 'long_overdue';

const oceanIntervals: Record<Phase, number> = {
  booked: 24 * hourMs,
  near: 2 * hourMs,
  on_board: 12 * hourMs,
  arrived: 4 * hourMs,
  out_for_delivery: 2 * hourMs,
  delivered: 24 * hourMs,
  overdue: hourMs,
  long_overdue: 6 * hourMs,
};

const airIntervals: Record<Phase, number> = {
  booked: 6 * hourMs,
  near: 30 * minuteMs,
  on_board: hourMs,
  arrived: hourMs,
  out_for_delivery: hourMs,
  delivered: 24 * hourMs,
  overdue: 30 * minuteMs,
  long_overdue: 6 * hourMs,
};

const parcelIntervals: Record<Phase, number> = {
  booked: 6 * hourMs,
  near: hourMs,
  on_board: 3 * hourMs,
  arrived: 2 * hourMs,
  out_for_delivery: 30 * minuteMs,
  delivered: 24 * hourMs,
  overdue: 2 * hourMs,
  long_overdue: 2 * hourMs,
};

// Rail is about as slow as ocean freight, and road about as fast as parcels.
const intervals: Record<TransportMode, Record<Phase, number>> = {
  ocean: oceanIntervals,
  rail: oceanIntervals,
  air: airIntervals,
  road: parcelIntervals,
  parcel: parcelIntervals,
};

/** The interval between two refreshes of a journey in this state (ms), before jitter, budget and scale. */
export function phaseIntervalMs(journey: CadenceJourney, mode: TransportMode, nowMs: number): number {
  return intervals[mode][phaseOf(journey, nowMs)];
}

/**
 * True once every container has been returned empty. False: the carrier names no container and reports no empty return.
 */
export function isEmptyReturned(journey: CadenceJourney): boolean {
  const returns = journey.events.filter((event) => event.code === 'gate_in_empty' && counts(event));
  if (returns.some((event) => event.container === null)) return true;
  const delivered = journey.containers.filter((container) => container.status === 'delivered');
  return delivered.length > 0 && delivered.every(({ number }) => returns.some((event) => event.container === number));
}

/** When the status last changed (ms), by the time of its deciding event in the record. */
export function evidenceTimeMs(journey: CadenceJourney): number | null {
  const evidence = journey.events.find((event) => event.id === journey.statusEvidence?.eventId);
  const time = journey.delivery.actual ?? evidence?.time ?? null;
  return time === null ? null : Date.parse(time.at);
}

function phaseOf(journey: CadenceJourney, nowMs: number): Phase {
  switch (journey.status) {
    case 'pending':
    case 'booked':
      return isNear(journey, nowMs) ? 'near' : 'booked';
    case 'in_transit':
      return underwayPhase(journey, nowMs);
    case 'arrived':
    case 'available_for_pickup':
      return 'arrived';
    case 'out_for_delivery':
      return 'out_for_delivery';
    default:
      return 'delivered';
  }
}

function underwayPhase(journey: CadenceJourney, nowMs: number): Phase {
  const expectedMs = outstandingMs(journey.arrival) ?? outstandingMs(journey.delivery);
  if (expectedMs !== null && expectedMs < nowMs)
    return nowMs - expectedMs <= overdueFirstMs ? 'overdue' : 'long_overdue';
  if (isNear(journey, nowMs)) return 'near';
  const latest = journey.latestEvent;
  const waits = latest?.legRole === 'transshipment' && (latest.code === 'arrived' || latest.code === 'discharged');
  return waits ? 'arrived' : 'on_board';
}

function isNear(journey: CadenceJourney, nowMs: number): boolean {
  const triples = [journey.departure, journey.arrival, ...journey.legs.flatMap((leg) => [leg.departure, leg.arrival])];
  const expected = [...triples.map(outstandingMs), outstandingMs(journey.delivery)];
  return expected.some((atMs) => atMs !== null && Math.abs(atMs - nowMs) <= nearWindowMs);
}

/** The expected time of something that has not happened yet. */
function outstandingMs(triple: TimeTriple): number | null {
  return triple.actual === null ? timeMs(triple.estimated ?? triple.planned) : null;
}

function timeMs(time: CarrierTime | null): number | null {
  return time === null ? null : Date.parse(time.at);
}

function counts(event: Pick<TrackingEvent, 'classifier' | 'supersededBy' | 'voidedAt'>): boolean {
  return event.classifier === 'actual' && event.supersededBy === null && event.voidedAt === null;
}
