import type { WireEvent, WirePlace } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { Locate } from '#shared/domain/lists/map-places.ts';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';
import { wayBetween } from './along-way.ts';
import { isSamePlace, type Stop } from './stops.ts';

/** `isApproximate`: found by the name of the place alone. */
export type Port = { stop: Stop; at: LngLat; isApproximate: boolean };

export type RouteLine = {
  /** Paths travelled and paths ahead, each a chain of great circles. Sea legs follow shipping lanes. */
  done: LngLat[][];
  ahead: LngLat[][];
  ports: Port[];
  /** The last position that is known: the place of the latest event, or where its vehicle was seen since; else null. */
  position: { at: LngLat; seen: Sighting | null; isAtPort: boolean } | null;
};

/** When and on which vehicle the cargo was at a position. `at` is ISO UTC. */
type Sighting = { at: string; vehicle: WireEvent['vehicle'] };
type Reported = WireShipment['current_position'];

export type RouteExtras = {
  /** The position of the vehicle, for maps that show it. */
  reported?: WireShipment['current_position'];
  /** Locates places without coordinates. */
  locate?: Locate;
};

/** The path of a shipment through the places that have coordinates or are located; null when none is. */
export function routeLine(
  stops: readonly Stop[],
  latest: WireEvent | null,
  { reported = null, locate = () => null }: RouteExtras = {},
): RouteLine | null {
  const ports = stops.flatMap((stop): Port[] => {
    const at = pointOf(stop.place, locate);
    return at === null ? [] : [{ stop, at, isApproximate: !isLocated(stop.place) }];
  });
  const seen = latest?.location ?? null;
  const lastSeen = seen && pointOf(seen, locate);
  const port = ports.findLast(({ stop }) => (seen === null ? stop.state === 'here' : isSamePlace(stop.place, seen)));
  const seenLast = latest && { at: latest.time.at, vehicle: latest.vehicle };
  const position: RouteLine['position'] = isOnTheWay(reported, ports)
    ? { at: [reported.lng, reported.lat], seen: reported, isAtPort: false }
    : lastSeen === null && port === undefined
      ? null
      : { at: port?.at ?? (lastSeen as LngLat), seen: seenLast, isAtPort: port !== undefined };
  if (ports.length === 0 && position === null) return null;
  const line: RouteLine = { done: [], ahead: [], ports, position };
  for (const [index, { at, stop }] of ports.entries()) {
    const next = ports[index + 1];
    if (next === undefined) break;
    const pathTo = (from: LngLat, to: LngLat, atSea = {}) =>
      wayBetween(from, to, { mode: stop.onward?.mode ?? null, atSea });
    if (next.stop.state !== 'ahead') line.done.push(pathTo(at, next.at));
    else if (stop.state === 'ahead' || position === null || position.isAtPort) line.ahead.push(pathTo(at, next.at));
    else {
      line.done.push(pathTo(at, position.at, { to: true }));
      line.ahead.push(pathTo(position.at, next.at, { from: true }));
    }
  }
  return line;
}

/** Every point of the route, for fitting the map. */
export function pointsOf({ done, ahead, ports, position }: RouteLine): LngLat[] {
  return [...done.flat(), ...ahead.flat(), ...ports.map(({ at }) => at), ...(position === null ? [] : [position.at])];
}

/** True when the vehicle was seen since it left the last port. */
function isOnTheWay(reported: Reported, ports: readonly Port[]): reported is NonNullable<Reported> {
  const left = ports.findLast(({ stop }) => stop.state === 'left')?.stop.departure?.actual ?? null;
  return reported !== null && (left === null || Date.parse(reported.at) >= Date.parse(left.at));
}

export function isLocated(place: WirePlace): place is WirePlace & { lat: number; lng: number } {
  return place.lat !== null && place.lng !== null && Number.isFinite(place.lat) && Number.isFinite(place.lng);
}

function pointOf(place: WirePlace, locate: Locate): LngLat | null {
  const point = isLocated(place) ? place : locate(place);
  return point && [point.lng, point.lat];
}
