import { readFileSync } from 'node:fs';
import { geoContains, geoDistance, geoInterpolate } from 'd3-geo';
import { feature } from 'topojson-client';
import { describe, expect, it } from 'vitest';
import { seaLane } from '#shared/domain/positions/sea-lanes.ts';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';
import { findPlace } from '#shared/places/find-place.ts';

const topology = JSON.parse(readFileSync('node_modules/world-atlas/land-110m.json', 'utf8'));
const land = feature(topology, topology.objects.land) as never;
const kmOfRadian = 6371;
const stepKm = 180;

describe('seaLane', () => {
  // The coarse coastline has no canals and closes some straits.
  it.each([
    ['CNSHA', 'NLRTM', 0.13],
    ['CNSHA', 'USNYC', 0.05],
    ['KRPUS', 'USLAX', 0.03],
    ['BRSSZ', 'NLRTM', 0],
    ['ZADUR', 'SGSIN', 0],
    ['NZAKL', 'CLVAP', 0],
    ['USHOU', 'NLRTM', 0],
    ['ITGOA', 'ESALG', 0],
  ])('stays on water from %s to %s', (from, to, share) => {
    const way = seaLane(portAt(from), portAt(to));
    const points = pointsAlong(way).filter(
      (point) => kmBetween(point, way[0]) > 80 && kmBetween(point, way.at(-1)) > 80,
    );
    const onLand = points.filter((point) => geoContains(land, point));
    expect(onLand.length / points.length).toBeLessThanOrEqual(share);
  });

  it('is at most 25% longer than the great circle across open sea', () => {
    for (const [from, to] of [
      ['KRPUS', 'USLAX'],
      ['NZAKL', 'CLVAP'],
      ['NLRTM', 'USNYC'],
    ] as const) {
      const way = seaLane(portAt(from), portAt(to));
      const length = way.slice(1).reduce((sum, point, index) => sum + kmBetween(way[index] as LngLat, point), 0);
      expect(length).toBeLessThan(1.25 * kmBetween(portAt(from), portAt(to)));
    }
  });

  it('connects near ports directly, and always ends at the ports', () => {
    expect(seaLane([4.1, 51.9], [4.4, 51.3])).toEqual([
      [4.1, 51.9],
      [4.4, 51.3],
    ]);
    const way = seaLane([4.1, 51.9], [121.5, 31.2]);
    expect([way[0], way.at(-1)]).toEqual([
      [4.1, 51.9],
      [121.5, 31.2],
    ]);
  });
});

function portAt(unlocode: string): LngLat {
  const place = findPlace(unlocode);
  if (place === null || place.lat === null || place.lng === null) throw new Error(`unknown port ${unlocode}`);
  return [place.lng, place.lat];
}

function pointsAlong(way: readonly LngLat[]): [number, number][] {
  return way.slice(1).flatMap((point, index) => {
    const from = way[index] as LngLat;
    const steps = Math.max(2, Math.ceil(kmBetween(from, point) / stepKm));
    const at = geoInterpolate([...from], [...point]);
    return Array.from({ length: steps + 1 }, (_, step) => at(step / steps));
  });
}

function kmBetween(from: LngLat, to: LngLat | undefined): number {
  return to === undefined ? Number.POSITIVE_INFINITY : geoDistance([...from], [...to]) * kmOfRadian;
}
