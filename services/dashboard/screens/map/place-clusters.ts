import { geoDistance, geoInterpolate } from 'd3-geo';
import type { WireMap } from '#shared/contract/shipments/map-wire.ts';
import { seaLane } from '#shared/domain/positions/sea-lanes.ts';
import { relativeWords } from '../../parts/time-words.ts';

type Place = WireMap['places'][number];
type LngLat = [number, number];

/**
 * Shipments in one position. Moving ones are between two places, where nobody has reported a position. A reported one is
 * where its vehicle was, and its name says how long ago.
 */
export type Spot = { key: string; name: string; at: LngLat; isMoving: boolean; count: number; late: number };
/** Spots whose circles overlap. `key` and `name` are those of the largest one. */
export type Cluster = Omit<Spot, 'at'> & { keys: string[]; x: number; y: number; radius: number };

/**
 * What the map draws for a place: where the vehicle was last seen, otherwise halfway between the places that a moving
 * shipment left and goes to.
 */
export function spotOf(
  { key, from, to, moving, mode, count, late, current_position: reported }: Place,
  now: number,
): Spot {
  const spot = { key, isMoving: moving, count, late };
  const start: LngLat = [from.lng, from.lat];
  if (reported !== null) {
    const vehicle = reported.vehicle?.name ?? reported.vehicle?.imo ?? vehicleWords[mode ?? ''] ?? 'Vehicle';
    return { ...spot, name: `${vehicle}, seen ${relativeWords(reported.at, now)}`, at: start };
  }
  if (!moving) return { ...spot, name: nameOf(from), at: start };
  if (to === null) return { ...spot, name: `Left ${nameOf(from)}`, at: start };
  return {
    ...spot,
    name: `${movingWords[mode ?? ''] ?? 'On the way'}, ${nameOf(from)} to ${nameOf(to)}`,
    at: halfway(start, [to.lng, to.lat], mode === 'ocean'),
  };
}

const vehicleWords: Record<string, string> = { ocean: 'Ship', air: 'Aircraft', rail: 'Train', road: 'Truck' };
const movingWords: Record<string, string> = { ocean: 'At sea', air: 'In the air' };

/** The middle of the way, by sea for ships. */
function halfway(from: LngLat, to: LngLat, isBySea: boolean): LngLat {
  const way: readonly (readonly [number, number])[] = isBySea ? seaLane(from, to) : [from, to];
  const lengths = way.slice(1).map(([lng, lat], index) => geoDistance(way[index] as LngLat, [lng, lat]));
  let left = lengths.reduce((sum, length) => sum + length, 0) / 2;
  for (const [index, length] of lengths.entries()) {
    if (left <= length && length > 0)
      return geoInterpolate(way[index] as LngLat, way[index + 1] as LngLat)(left / length);
    left -= length;
  }
  return from;
}

/** Merges places whose circles overlap, the largest first, until none does. */
export function clustersOf(
  spots: readonly Spot[],
  project: (at: [number, number]) => [number, number] | null,
): Cluster[] {
  const clusters: Cluster[] = [];
  for (const spot of spots.toSorted((left, right) => right.count - left.count || (left.key < right.key ? -1 : 1))) {
    const point = project(spot.at);
    if (point === null) continue;
    const [x, y] = point;
    const { at: _, ...one } = spot;
    join(clusters, { ...one, keys: [spot.key], x, y, radius: radiusOf(spot.count) });
  }
  return clusters;
}

/** The area is proportional to the count. */
export function radiusOf(count: number): number {
  return Math.min(8 + 2.6 * Math.sqrt(count), 34);
}

function join(clusters: Cluster[], one: Cluster): void {
  const near = clusters.findIndex(
    (other) => Math.hypot(other.x - one.x, other.y - one.y) < other.radius + one.radius - 2,
  );
  const other = clusters[near];
  if (other === undefined) {
    clusters.push(one);
    return;
  }
  clusters.splice(near, 1);
  const count = other.count + one.count;
  // The larger one keeps its position and name. The merged circle may overlap the next one.
  const leads = other.count >= one.count ? other : one;
  join(clusters, {
    ...leads,
    keys: [...other.keys, ...one.keys],
    count,
    radius: radiusOf(count),
    late: other.late + one.late,
    isMoving: other.isMoving && one.isMoving,
  });
}

function nameOf({ name, lat, lng }: Place['from']): string {
  return (
    name ?? `${Math.abs(lat).toFixed(0)}° ${lat < 0 ? 'S' : 'N'} ${Math.abs(lng).toFixed(0)}° ${lng < 0 ? 'W' : 'E'}`
  );
}
