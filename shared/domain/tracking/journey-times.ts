import type { Journey, ShipmentException, TimeTriple } from '../shipments/shipment.ts';
import { delayReasonWords } from './delay-reasons.ts';
import type { CarrierTime, Classifier, EventCode, LegRole, TrackingEvent } from './event.ts';
import { compareText, eventTimeMs, isLive, seenAt } from './event-order.ts';

/** From this delay on (hours, against the first estimate) the record has the exception `delayed`. */
export const delayExceptionHours = 24;

const departureCodes: readonly EventCode[] = ['departed', 'rail_departed', 'picked_up'];
const arrivalCodes: readonly EventCode[] = ['arrived', 'received_from_flight', 'rail_arrived'];

type ArrivalTimes = Pick<Journey, 'departure' | 'arrival' | 'delivery' | 'etaHistory'> & {
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
 * Departure, arrival with its first estimate and delay, delivery and the ETA history. `events` have roles and unique
 * keys and are not too far in the future; superseded ones only count for the history. Delay is (actual, otherwise
 * estimate) − (first estimate, otherwise plan), in whole hours.
 */
export function readTimes(events: readonly TrackingEvent[]): ArrivalTimes {
  const live = events.filter(isLive);
  const departures = preferred(live, departureCodes, ['pol', 'origin', 'unknown']);
  const arrivals = preferred(live, arrivalCodes, ['pod', 'destination']);
  const arrival = timeTriple(arrivals, true);
  const arrivalPlaces = new Set(arrivals.map((event) => `${event.code}|${event.legRole}`));

  const estimates = events
    .filter((event) => event.classifier === 'estimated' && event.voidedAt === null)
    .filter((event) => arrivalPlaces.has(`${event.code}|${event.legRole}`))
    .sort(compareSeen);
  const originalEstimated = estimates[0]?.time ?? null;
  const baseline = originalEstimated ?? arrival.planned;
  const expected = arrival.actual ?? arrival.estimated;
  const delayHours = baseline === null || expected === null ? null : hoursBetween(baseline, expected);

  const deliveries = live.filter((event) => event.code === 'delivered');
  return {
    departure: timeTriple(departures, false),
    arrival: { ...arrival, originalEstimated, delayHours, etaSource: arrival.estimated === null ? null : 'carrier' },
    delivery: {
      estimated: (latestSeen(deliveries, 'estimated') ?? latestSeen(deliveries, 'planned'))?.time ?? null,
      actual: actualOf(deliveries, true)?.time ?? null,
    },
    etaHistory: etaHistory(estimates),
    delay: findDelay(estimates, baseline, arrivals, delayHours),
  };
}

function preferred(
  events: readonly TrackingEvent[],
  codes: readonly EventCode[],
  roles: readonly LegRole[],
): TrackingEvent[] {
  for (const role of roles) {
    for (const code of codes) {
      const matching = events.filter((event) => event.code === code && event.legRole === role);
      if (matching.length > 0) return matching;
    }
  }
  return [];
}

function latestSeen(events: readonly TrackingEvent[], classifier: Classifier): TrackingEvent | undefined {
  return events
    .filter((event) => event.classifier === classifier)
    .sort(compareSeen)
    .at(-1);
}

function actualOf(events: readonly TrackingEvent[], late: boolean): TrackingEvent | undefined {
  const actual = events.filter((event) => event.classifier === 'actual');
  return actual
    .sort((left, right) => eventTimeMs(left) - eventTimeMs(right) || compareText(left.dedupeKey, right.dedupeKey))
    .at(late ? -1 : 0);
}

/**
 * By when the carrier created it, otherwise when it was received. Equal times: the earlier event first, so that the
 * last is the later one.
 */
function compareSeen(left: TrackingEvent, right: TrackingEvent): number {
  return (
    compareText(seenAt(left), seenAt(right)) ||
    compareText(left.receivedAt, right.receivedAt) ||
    eventTimeMs(left) - eventTimeMs(right) ||
    compareText(left.dedupeKey, right.dedupeKey)
  );
}

function etaHistory(estimates: readonly TrackingEvent[]): Journey['etaHistory'] {
  const history: Journey['etaHistory'] = [];
  for (const event of estimates) {
    if (history.at(-1)?.eta.at === event.time.at) continue;
    history.push({ eta: event.time, seenAt: seenAt(event), source: event.source });
  }
  return history;
}

function hoursBetween(from: CarrierTime, to: CarrierTime): number {
  return Math.round((Date.parse(to.at) - Date.parse(from.at)) / 3_600_000) + 0;
}

/**
 * Open while the expected arrival is late; resolved by the arrival itself. A delay that an estimate reverted leaves no
 * trace.
 */
function findDelay(
  estimates: readonly TrackingEvent[],
  baseline: CarrierTime | null,
  arrivals: readonly TrackingEvent[],
  delayHours: number | null,
): ShipmentException | null {
  if (baseline === null || delayHours === null || delayHours < delayExceptionHours) return null;
  const actual = actualOf(arrivals, true);
  const late = estimates.find((event) => hoursBetween(baseline, event.time) >= delayExceptionHours);
  const evidence = late ?? actual ?? estimates.at(-1);
  if (evidence === undefined) return null;
  const words = evidence.delayReason === null ? null : delayReasonWords(evidence.delayReason);
  const reason = words === null ? '' : ` (${words})`;
  return {
    code: 'delayed',
    severity: 'warning',
    message: `Arrival is ${delayHours} hours later than first expected${reason}`,
    openedAt: late === undefined ? evidence.time.at : seenAt(evidence),
    resolvedAt: actual?.time.at ?? null,
    eventId: evidence.id,
  };
}
