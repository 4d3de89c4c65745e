import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runSteps } from '#shared/async/yield-event-loop.ts';
import { spotKinds } from '#shared/domain/lists/map-places.ts';
import { clustersIn, clustersOf, type PlacedSpot, radiusOf } from '#shared/route-map/place-clusters.ts';

const anySpots = fc
  .array(
    fc.record({
      x: fc.integer({ min: -500, max: 500 }),
      y: fc.integer({ min: -200, max: 200 }),
      count: fc.integer({ min: 1, max: 20_000 }),
      kind: fc.constantFrom(...spotKinds),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.map((one, index): PlacedSpot => ({ ...one, key: `P${index}`, late: one.count % 3 })));
const anyScale = fc.double({ min: 0.3, max: 40, noNaN: true });

const sum = (spots: readonly PlacedSpot[], of: (spot: PlacedSpot) => number) =>
  spots.reduce((total, spot) => total + of(spot), 0);

it('puts every shipment into exactly one circle, without overlaps, at every scale', async () => {
  await fc.assert(
    fc.asyncProperty(anySpots, anyScale, async (spots, scale) => {
      const clusters = await runSteps(clustersOf(spots, scale));
      const keys = clusters.flatMap((cluster) => cluster.spots.map(({ key }) => key));
      expect(keys.toSorted()).toEqual(spots.map(({ key }) => key).toSorted());
      for (const [index, one] of clusters.entries()) {
        for (const other of clusters.slice(index + 1)) {
          const distance = Math.hypot(one.x - other.x, one.y - other.y) * scale;
          expect(distance).toBeGreaterThanOrEqual(radiusOf(one.count) + radiusOf(other.count) - 2);
        }
      }
    }),
  );
});

it('has every visible shipment in one of at most so many groups, whose counts add up', async () => {
  const views = fc.record({
    scale: anyScale,
    left: fc.integer({ min: -500, max: 0 }),
    top: fc.integer({ min: -200, max: 0 }),
    right: fc.integer({ min: 0, max: 500 }),
    bottom: fc.integer({ min: 0, max: 200 }),
  });
  await fc.assert(
    fc.asyncProperty(anySpots, views, fc.integer({ min: 1, max: 20 }), async (spots, view, max) => {
      const { left, top, right, bottom } = view;
      const inside = spots.filter(({ x, y }) => x >= left && x <= right && y >= top && y <= bottom);
      const groups = await runSteps(clustersIn(spots, view, max));
      expect(groups.length).toBeLessThanOrEqual(max);
      const keys = groups.flatMap((group) => group.spots.map(({ key }) => key));
      expect(keys.toSorted()).toEqual(inside.map(({ key }) => key).toSorted());
      for (const { spots: own, ...group } of groups) {
        const estimates = own.filter(({ kind }) => kind === 'estimated');
        expect(group).toMatchObject({
          key: own[0].key,
          count: sum(own, ({ count }) => count),
          late: sum(own, ({ late }) => late),
          estimated: sum(estimates, ({ count }) => count),
          kind: new Set(own.map(({ kind }) => kind)).size === 1 ? own[0].kind : 'place',
        });
        expect(own[0].count).toBe(Math.max(...own.map(({ count }) => count)));
      }
    }),
  );
});

it('joins 20,000 positions into at most 500 groups in every view', async () => {
  const spots = Array.from(
    { length: 20_000 },
    (_, index): PlacedSpot => ({
      key: `P${index}`,
      count: 1,
      late: 0,
      kind: 'estimated',
      x: ((index * 7919) % 1000) - 500,
      y: ((index * 104_729) % 400) - 200,
    }),
  );
  for (const scale of [0.5, 8, 32]) {
    const half = 600 / scale;
    const view = { scale, left: -half, right: half, top: -half, bottom: half };
    const groups = await runSteps(clustersIn(spots, view, 500));
    expect(groups.length).toBeLessThanOrEqual(500);
    expect(sum(groups, ({ count }) => count)).toBe(
      spots.filter(({ x, y }) => Math.abs(x) <= half && Math.abs(y) <= half).length,
    );
  }
});
