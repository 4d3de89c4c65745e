import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markWords } from '#services/dashboard/screens/map/map-mark.tsx';
import { clustersOf, type PlacedSpot } from '#services/dashboard/screens/map/place-clusters.ts';
import type { Spot } from '#services/dashboard/screens/map/spots.ts';

const placedAt = (key: string, [x, y, count]: readonly [number, number, number], kind: Spot['kind'] = 'place') => ({
  spot: { key, name: key, note: `note of ${key}`, at: [x, y], kind, way: null, count, late: 0 } satisfies Spot,
  x,
  y,
});

const anySpots = fc
  .array(
    fc.record({
      x: fc.integer({ min: -500, max: 500 }),
      y: fc.integer({ min: -200, max: 200 }),
      count: fc.integer({ min: 1, max: 20_000 }),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.map(({ x, y, count }, index): PlacedSpot => placedAt(`P${index}`, [x, y, count])));

it('puts every shipment into exactly one circle, without overlaps, at every scale', () => {
  fc.assert(
    fc.property(anySpots, fc.double({ min: 0.3, max: 40, noNaN: true }), (spots, scale) => {
      const clusters = clustersOf(spots, scale);
      const keys = clusters.flatMap((cluster) => cluster.spots.map(({ key }) => key));
      expect(keys.toSorted()).toEqual(spots.map(({ spot }) => spot.key).toSorted());
      for (const [index, one] of clusters.entries()) {
        expect(one.count).toBe(one.spots.reduce((sum, { count }) => sum + count, 0));
        for (const other of clusters.slice(index + 1)) {
          const distance = Math.hypot(one.x - other.x, one.y - other.y) * scale;
          expect(distance).toBeGreaterThanOrEqual(one.radius + other.radius - 2);
        }
      }
    }),
  );
});

it('joins 20,000 positions in much less time than a person waits', () => {
  const spots = Array.from({ length: 20_000 }, (_, index) =>
    placedAt(`P${index}`, [((index * 7919) % 1000) - 500, ((index * 104_729) % 400) - 200, 1]),
  );
  for (const scale of [0.5, 1, 8, 32]) {
    const clusters = clustersOf(spots, scale);
    expect(clusters.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
  }
});

it('says in words how many of a circle are estimates, and why a single one is', () => {
  const words = (...spots: PlacedSpot[]) => clustersOf(spots, 1).map(markWords);
  expect(words(placedAt('Busan', [0, 0, 2], 'estimated'))).toEqual(['Busan: 2 shipments. note of Busan']);
  expect(words(placedAt('Busan', [0, 0, 1234]), placedAt('Ulsan', [1, 0, 1], 'estimated'))).toEqual([
    'Busan and 1 more: 1,235 shipments, 1 at estimated positions',
  ]);
  const both = [placedAt('A', [0, 0, 2], 'estimated'), placedAt('B', [1, 0, 1], 'estimated')];
  expect(words(...both)).toEqual(['A and 1 more: 3 shipments, all at estimated positions']);
  expect(clustersOf(both, 1)[0]?.kind).toBe('estimated');
});
