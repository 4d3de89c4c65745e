import type { MapPlace, MapPoint, SpotKind } from '#shared/domain/lists/map-places.ts';
import { estimateShare } from '#shared/domain/positions/estimate-share.ts';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';
import { setBounded } from '#shared/domain/set-bounded.ts';
import { pointsAlong, wayBetween } from './along-way.ts';
import type { PlacedSpot } from './place-clusters.ts';
import { projection } from './world-projection.ts';

/** The shipments of a place or a way, at a point of the map. */
export type MapSpot = PlacedSpot & { place: MapPlace };

/** Computes the spot of a place or a way on the world map at a time, in units of the map. Null: outside of it. */
export function spotOf(place: MapPlace, nowMs: number): MapSpot | null {
  const [lng, lat] = pointOf(place, nowMs);
  const [x, y] = projection([lng, lat]) ?? [];
  if (x === undefined || y === undefined) return null;
  const { key, count, late } = place;
  return { key, count, late, kind: kindOf(place), x, y, place };
}

function kindOf({ reported, isMoving, from }: MapPlace): SpotKind {
  if (reported !== null) return 'reported';
  if (isMoving) return 'estimated';
  return from.approximate ? 'approximate' : 'place';
}

/** Without a usable ETA halfway; where it left if the next place is unknown. */
function pointOf({ from, to, isMoving, mode, departedAt, arrivesAt }: MapPlace, nowMs: number): LngLat {
  if (!isMoving || to === null) return [from.lng, from.lat];
  const estimate = departedAt === null ? null : estimateShare({ departedAt, arrivesAt }, nowMs);
  return pointOn(from, to, mode)(estimate?.share ?? 0.5);
}

const maxWays = 5000;
const ways = new Map<string, (share: number) => LngLat>();

/** Finding a shipping lane takes a thousand times longer than a point on it. */
function pointOn(from: MapPoint, to: MapPoint, mode: string | null): (share: number) => LngLat {
  const key = [from.lng, from.lat, to.lng, to.lat, mode].join();
  const known = ways.get(key);
  if (known !== undefined) return known;
  const value = pointsAlong(wayBetween([from.lng, from.lat], [to.lng, to.lat], { mode }));
  return setBounded(ways, { key, value, max: maxWays });
}
