import type { WireEvent, WirePlace } from '#shared/contract/shipments/shipment-parts.ts';
import { seaLane } from '#shared/domain/positions/sea-lanes.ts';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';
import { isSamePlace, type Stop } from './stops.ts';

export type Port = { stop: Stop; at: LngLat };

export type RouteLine = {
  /** Paths travelled and paths ahead, each a chain of great circles. Sea legs follow shipping lanes. */
  done: LngLat[][];
  ahead: LngLat[][];
  ports: Port[];
  /** The last position that the carrier reported, with its event; null without one. */
  position: { at: LngLat; event: WireEvent | null; isAtPort: boolean } | null;
};

type Located = WirePlace & { lat: number; lng: number };

/** The path of a shipment through the places that have coordinates; null when none has. */
export function routeLine(stops: readonly Stop[], latest: WireEvent | null): RouteLine | null {
  const ports = stops.flatMap((stop) => (isLocated(stop.place) ? [{ stop, at: pointOf(stop.place) }] : []));
  const seen = latest?.location ?? null;
  const lastSeen = seen !== null && isLocated(seen) ? pointOf(seen) : null;
  const port = ports.findLast(({ stop }) => (seen === null ? stop.state === 'here' : isSamePlace(stop.place, seen)));
  const position =
    lastSeen === null && port === undefined
      ? null
      : { at: port?.at ?? (lastSeen as LngLat), event: latest, isAtPort: port !== undefined };
  if (ports.length === 0 && position === null) return null;
  const line: RouteLine = { done: [], ahead: [], ports, position };
  for (const [index, { at, stop }] of ports.entries()) {
    const next = ports[index + 1];
    if (next === undefined) break;
    const pathTo = (from: LngLat, to: LngLat, atSea = {}) =>
      stop.onward?.mode === 'ocean' ? seaLane(from, to, atSea) : [from, to];
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

function isLocated(place: WirePlace): place is Located {
  return place.lat !== null && place.lng !== null && Number.isFinite(place.lat) && Number.isFinite(place.lng);
}

function pointOf({ lng, lat }: Located): LngLat {
  return [lng, lat];
}
