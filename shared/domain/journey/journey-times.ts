import { delayReasonWords, statedCause } from '../events/delay-reasons.ts';
import type { EventCode, LegRole, TrackingEvent } from '../events/event.ts';
import { isLive, seenAt } from '../events/event-order.ts';
import { shownSource } from '../events/event-subject.ts';
import { findEta } from '../record/find-eta.ts';
import { lateHours } from '../record/lateness.ts';
import {
  actualOf,
  compareSeen,
  delayHoursOf,
  latestSeen,
  promisedTimes,
  type TimeEvents,
  timesOfEvents,
} from '../record/promised-times.ts';
import type { Journey, PromisedTimes, ShipmentException, TimeTriple } from '../record/shipment.ts';
import { deliveryEvents, deliveryForecasts, withWindowEnd } from './delivery-events.ts';
import type { PartFold } from './status.ts';

const departureCodes: readonly EventCode[] = ['departed', 'rail_departed', 'picked_up'];
/** The first of them that the carrier reports is the arrival. */
export const arrivalCodes: readonly EventCode[] = ['arrived', 'received_from_flight', 'rail_arrived'];

type JourneyTimes = Pick<Journey, 'departure' | 'arrival' | 'eta' | 'delayHours' | 'delayBasis' | 'etaHistory'> & {
  /** The events that the times of the delivery are read from. */
  deliveryEvents: TimeEvents;
  delay: ShipmentException | null;
};

/**
 * Planned, estimated and actual time of events with the same meaning. `late` takes the last actual one, otherwise the
 * first.
 */
export function timeTriple(events: readonly TrackingEvent[], late: boolean): TimeTriple {
  return {
    planned: latestSeen(events, 'planned')?.time ?? null,
    estimated: latestSeen(events, 'estimated')?.time ?? null,
    actual: actualOf(events, late)?.time ?? null,
  };
}

/**
 * Departure, arrival, delivery, ETA, delay and the history of the ETA. `events` have roles and unique keys and are not
 * too far in the future; superseded ones only count for promises and the history. `isDelivered`: all of the cargo is.
 */
export function readTimes(
  events: readonly TrackingEvent[],
  { isDelivered, pieces }: { isDelivered: boolean; pieces: readonly PartFold[] },
): JourneyTimes {
  const live = events.filter(isLive);
  const kept = events.filter((event) => event.voidedAt === null);
  const arriving = preferred(live, arrivalCodes, ['pod', 'destination']);
  const arrivals = [...kept.filter(sameAsAnyOf(arriving)), ...impliedArrivals(arriving, live)];
  const deliveries = kept
    .filter((event) => event.code === 'delivered' && (isDelivered || event.classifier !== 'actual'))
    .map(withWindowEnd);
  const chosen = deliveryEvents(deliveries, pieces);
  const times = { arrival: promisedTimes(arrivals), delivery: timesOfEvents(chosen) };
  const eta = findEta(times);
  const isOfDelivery = eta?.kind === 'delivery';
  const { delayHours, delayBasis } = isOfDelivery ? times.delivery : times.arrival;
  return {
    departure: timeTriple(preferred(live, departureCodes, ['pol', 'origin', 'unknown']), false),
    arrival: times.arrival,
    deliveryEvents: chosen,
    eta,
    delayHours,
    delayBasis,
    etaHistory: etaHistory(arrivals, deliveries, pieces),
    delay: isOfDelivery
      ? findDelay(deliveries, times.delivery, 'Delivery')
      : findDelay(arrivals, times.arrival, 'Arrival'),
  };
}

/** The events with the first of these roles and codes that any event has. */
function preferred(
  events: readonly TrackingEvent[],
  codes: readonly EventCode[],
  roles: readonly LegRole[],
): TrackingEvent[] {
  for (const role of roles) {
    const matching = firstCodeOf(
      events.filter((event) => event.legRole === role),
      codes,
    );
    if (matching.length > 0) return matching;
  }
  return [];
}

/** The events with the first of these codes that any event has. */
export function firstCodeOf(events: readonly TrackingEvent[], codes: readonly EventCode[]): TrackingEvent[] {
  const code = codes.find((candidate) => events.some((event) => event.code === candidate));
  return events.filter((event) => event.code === code);
}

/**
 * Actual arrivals of another code at the same stop, for carriers that plan the arrival and then report only that the
 * cargo was received from it.
 */
export function impliedArrivals(arriving: readonly TrackingEvent[], live: readonly TrackingEvent[]): TrackingEvent[] {
  const [first] = arriving;
  if (first === undefined || arriving.some((event) => event.classifier === 'actual')) return [];
  const actual = live.filter((event) => event.classifier === 'actual' && event.legRole === first.legRole);
  return firstCodeOf(actual, arrivalCodes);
}

function sameAsAnyOf(events: readonly TrackingEvent[]): (event: TrackingEvent) => boolean {
  const meanings = new Set(events.map((event) => `${event.code}|${event.legRole}`));
  return (event) => meanings.has(`${event.code}|${event.legRole}`);
}

function etaHistory(
  arrivals: readonly TrackingEvent[],
  deliveries: readonly TrackingEvent[],
  pieces: readonly PartFold[],
): Journey['etaHistory'] {
  const forecasts = [
    ...estimatesOf(arrivals).map((event) => ({ event, eta: event.time, kind: 'arrival' as const })),
    ...deliveryForecasts(estimatesOf(deliveries), pieces).map((forecast) => ({
      ...forecast,
      kind: 'delivery' as const,
    })),
  ];
  const history: Journey['etaHistory'] = [];
  for (const { event, eta, kind } of forecasts.sort((left, right) => compareSeen(left.event, right.event))) {
    if (history.findLast((entry) => entry.kind === kind)?.eta.at === eta.at) continue;
    history.push({ eta, kind, seenAt: seenAt(event), source: shownSource(event) });
  }
  return history;
}

function estimatesOf(events: readonly TrackingEvent[]): TrackingEvent[] {
  return events.filter((event) => event.classifier === 'estimated');
}

/**
 * Open while the delay is `lateHours` or more, in every mode; resolved by the arrival or delivery itself. A delay that
 * an estimate reverted leaves no trace.
 */
function findDelay(
  events: readonly TrackingEvent[],
  { promised, delayHours }: PromisedTimes,
  name: string,
): ShipmentException | null {
  if (delayHours === null || delayHours < lateHours) return null;
  const expectations = events.filter((event) => event.classifier !== 'actual').sort(compareSeen);
  const actual = actualOf(events.filter(isLive), true);
  const late = expectations.find(({ time }) => (delayHoursOf(promised, time) ?? 0) >= lateHours);
  const evidence = late ?? actual ?? expectations.at(-1);
  if (evidence === undefined) return null;
  const words = evidence.delayReason === null ? null : delayReasonWords(evidence.delayReason);
  const reason = words === null ? '' : ` (${words})`;
  const stated = evidence.delayReason ?? expectations.findLast((event) => event.delayReason !== null)?.delayReason;
  return {
    code: 'delayed',
    severity: 'warning',
    message: `${name} is ${delayHours} hours later than first promised${reason}`,
    openedAt: late === undefined ? evidence.time.at : seenAt(evidence),
    resolvedAt: actual?.time.at ?? null,
    eventId: evidence.id,
    container: null,
    piece: null,
    ...(stated != null && { cause: statedCause(stated) }),
  };
}
