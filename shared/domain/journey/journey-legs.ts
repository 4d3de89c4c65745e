import type { EventCode, TrackingEvent, Vehicle } from '../events/event.ts';
import { compareText, eventTimeMs, isLive } from '../events/event-order.ts';
import { bestPlace } from '../events/event-place.ts';
import { placeKey } from '../events/place-key.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import { promisedTimes } from '../record/promised-times.ts';
import type { Leg } from '../record/shipment.ts';
import { arrivalCodes, firstCodeOf, impliedArrivals, timeTriple } from './journey-times.ts';
import { isInlandMove } from './leg-roles.ts';

type Stop = { place: string; inbound: TrackingEvent[]; outbound: TrackingEvent[]; atMs: number };

const inboundCodes: readonly EventCode[] = [
  'arrived',
  'discharged',
  'received_from_flight',
  'rail_arrived',
  'rail_unloaded',
];
const outboundCodes: readonly EventCode[] = ['departed', 'loaded', 'rail_departed', 'rail_loaded'];
const cargoCodes: readonly EventCode[] = [
  'loaded',
  'discharged',
  'rail_loaded',
  'rail_unloaded',
  'received_from_flight',
];
const beforeDepartureCodes: readonly EventCode[] = [
  ...outboundCodes,
  'gate_out_empty',
  'stuffed',
  'received_from_shipper',
  'gate_in_full',
  'manifested',
  'picked_up',
];
const classifierRanks = { planned: 0, estimated: 1, actual: 2 } as const;

export type Legs = { legs: Leg[]; legOf: (event: TrackingEvent) => number | null };

/**
 * The legs between the stops of the journey, and the leg that an event belongs to. `events` have roles. Superseded ones
 * count only as first promises of arrivals.
 */
export function composeLegs(events: readonly TrackingEvent[], transportMode: TransportMode): Legs {
  const kept = events.filter((event) => event.voidedAt === null);
  const stops = readStops(kept.filter(isLive));
  const legs: Leg[] = [];
  const arrivingLeg = new Map<string, number>();
  const departingLeg = new Map<string, number>();
  const add = (from: Stop | undefined, to: Stop | undefined) => {
    const sequence = legs.length + 1;
    legs.push(composeLeg({ sequence, from, to, transportMode }, kept));
    if (from !== undefined) departingLeg.set(from.place, sequence);
    if (to !== undefined) arrivingLeg.set(to.place, sequence);
  };

  const [first] = stops;
  const last = stops.at(-1);
  if (stops.length === 1 && first !== undefined && first.inbound.length > 0) add(undefined, first);
  for (const [index, stop] of stops.entries()) {
    const next = stops[index + 1];
    if (next !== undefined) add(stop, next);
  }
  if (last !== undefined && last.outbound.length > 0) add(last, undefined);

  const legOf = (event: TrackingEvent): number | null => {
    const place = placeKey(event.location);
    if (place === null) return null;
    const departs = departingLeg.get(place) ?? null;
    const arrives = arrivingLeg.get(place) ?? null;
    return beforeDepartureCodes.includes(event.code) ? (departs ?? arrives) : (arrives ?? departs);
  };
  return { legs, legOf };
}

function readStops(events: readonly TrackingEvent[]): Stop[] {
  const byPlace = new Map<string, Stop>();
  for (const event of events) {
    const place = placeKey(event.location);
    if (place === null || !belongsToALeg(event)) continue;
    const stop = byPlace.get(place) ?? { place, inbound: [], outbound: [], atMs: 0 };
    (inboundCodes.includes(event.code) ? stop.inbound : stop.outbound).push(event);
    byPlace.set(place, stop);
  }
  const stops = [...byPlace.values()].filter((stop) => !isPassedThrough(stop));
  for (const stop of stops) stop.atMs = stopTimeMs(stop);
  return stops.sort((left, right) => left.atMs - right.atMs || compareText(left.place, right.place));
}

/**
 * A ship reaches the port of loading before the cargo is on board, and leaves the port of discharge after it is
 * unloaded.
 */
function belongsToALeg(event: TrackingEvent): boolean {
  if (isInlandMove(event)) return inboundCodes.includes(event.code) || outboundCodes.includes(event.code);
  if (inboundCodes.includes(event.code)) return event.legRole !== 'pol';
  return outboundCodes.includes(event.code) && event.legRole !== 'pod';
}

/** A call where the cargo stayed on board: the same voyage arrived and departed, and nothing was lifted. */
function isPassedThrough(stop: Stop): boolean {
  const all = [...stop.inbound, ...stop.outbound];
  if (stop.inbound.length === 0 || stop.outbound.length === 0 || all.some((event) => cargoCodes.includes(event.code)))
    return false;
  const voyages = new Set(all.map((event) => vehicleKey(event.vehicle)));
  return voyages.size === 1 && !voyages.has(null);
}

function vehicleKey(vehicle: Vehicle | null): string | null {
  const journey = vehicle?.voyage ?? vehicle?.flight ?? null;
  return journey === null ? null : `${vehicle?.imo ?? ''}|${journey}`;
}

function stopTimeMs(stop: Stop): number {
  const events = mostCertain(stop.inbound.length > 0 ? stop.inbound : stop.outbound);
  return Math.min(...events.map(eventTimeMs));
}

function mostCertain(events: readonly TrackingEvent[]): TrackingEvent[] {
  const rank = Math.max(...events.map((event) => classifierRanks[event.classifier]));
  return events.filter((event) => classifierRanks[event.classifier] === rank);
}

type Ends = { sequence: number; from: Stop | undefined; to: Stop | undefined; transportMode: TransportMode };

function composeLeg({ sequence, from, to, transportMode }: Ends, kept: readonly TrackingEvent[]): Leg {
  const departing = from?.outbound ?? [];
  const arriving = to?.inbound ?? [];
  const { planned, estimated, actual, delayHours, delayBasis } = promisedTimes(arrivalsAt(to, kept));
  const moves = [...sortedByTrust(departing), ...sortedByTrust(arriving)];
  return {
    sequence,
    mode: moves.find((event) => event.mode !== null)?.mode ?? (moves.some(isInlandMove) ? 'rail' : transportMode),
    from: from === undefined ? null : bestPlace([...from.outbound, ...from.inbound]),
    to: to === undefined ? null : bestPlace([...to.inbound, ...to.outbound]),
    vehicle: moves.find((event) => event.vehicle !== null)?.vehicle ?? null,
    departure: timeTriple(
      departing.filter((event) => event.code === 'departed' || event.code === 'rail_departed'),
      false,
    ),
    arrival: { planned, estimated, actual },
    delayHours,
    delayBasis,
  };
}

/** The arrivals at the end of a leg, by the same rule as the arrival of the journey, with the promises before. */
function arrivalsAt(stop: Stop | undefined, kept: readonly TrackingEvent[]): TrackingEvent[] {
  const arriving = firstCodeOf(stop?.inbound ?? [], arrivalCodes);
  const [arrival] = arriving;
  if (stop === undefined || arrival === undefined) return [];
  const same = kept.filter(
    (event) => event.code === arrival.code && placeKey(event.location) === stop.place && belongsToALeg(event),
  );
  return [...same, ...impliedArrivals(arriving, stop.inbound)];
}

function sortedByTrust(events: readonly TrackingEvent[]): TrackingEvent[] {
  return [...events].sort(
    (left, right) =>
      classifierRanks[right.classifier] - classifierRanks[left.classifier] ||
      eventTimeMs(right) - eventTimeMs(left) ||
      compareText(left.dedupeKey, right.dedupeKey),
  );
}
