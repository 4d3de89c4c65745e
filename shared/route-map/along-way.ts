import { geoDistance, geoInterpolate } from 'd3-geo';
import { seaLane } from '#shared/domain/positions/sea-lanes.ts';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';

/**
 * The line on which maps draw the way between two places, a chain of great circles: along shipping lanes by sea,
 * otherwise straight. `atSea`: which end is no port.
 */
export function wayBetween(
  from: LngLat,
  to: LngLat,
  { mode, atSea = {} }: { mode: string | null; atSea?: { from?: boolean; to?: boolean } },
): LngLat[] {
  return mode === 'ocean' ? seaLane(from, to, atSea) : [from, to];
}

/** The points of a line by the share of its length that lies before them, 0 to 1. */
export function pointsAlong(way: readonly LngLat[]): (share: number) => LngLat {
  const [start = [0, 0], ...others] = way;
  const lengths = others.map((point, index) => geoDistance([...(way[index] ?? start)], [...point]));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return (share) => {
    let left = total * share;
    for (const [index, length] of lengths.entries()) {
      if (left <= length && length > 0)
        return geoInterpolate([...(way[index] ?? start)], [...(way[index + 1] ?? start)])(left / length);
      left -= length;
    }
    return way.at(-1) ?? start;
  };
}
