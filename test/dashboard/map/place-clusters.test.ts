import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clustersOf, type Spot, spotOf } from '#services/dashboard/screens/map/place-clusters.ts';
import type { WireMap } from '#shared/contract/shipments/map-wire.ts';

const shanghai = { key: 'CNSHA', name: 'Shanghai', lat: 31.2, lng: 121.5 };
const rotterdam = { key: 'NLRTM', name: 'Rotterdam', lat: 51.9, lng: 4.5 };
const place = (changes: Partial<WireMap['places'][number]> = {}): WireMap['places'][number] => ({
  key: 'CNSHA',
  from: shanghai,
  to: null,
  moving: false,
  mode: null,
  count: 3,
  late: 1,
  current_position: null,
  ...changes,
});
const now = Date.parse('2026-04-15T08:00:00Z');

it('draws a shipment at its place, and one that has left it on its way', () => {
  expect(spotOf(place(), now)).toMatchObject({
    name: 'Shanghai',
    at: [121.5, 31.2],
    isMoving: false,
    count: 3,
    late: 1,
  });
  const atSea = spotOf(place({ moving: true, mode: 'ocean', to: rotterdam }), now);
  expect(atSea).toMatchObject({ name: 'At sea, Shanghai to Rotterdam', isMoving: true });
  // Halfway by sea is in the Indian Ocean, not in Siberia.
  const [lng, lat] = atSea.at;
  expect([lng > 40 && lng < 105, lat > -10 && lat < 25]).toEqual([true, true]);
  expect(spotOf(place({ moving: true, mode: 'air', to: rotterdam }), now).name).toBe(
    'In the air, Shanghai to Rotterdam',
  );
  expect(spotOf(place({ moving: true, mode: 'road', to: rotterdam }), now).name).toBe(
    'On the way, Shanghai to Rotterdam',
  );
  expect(spotOf(place({ moving: true, mode: 'ocean' }), now).name).toBe('Left Shanghai');
});

it('draws a reported position where the vehicle was, with its age in words, and never halfway', () => {
  const vehicle = { name: 'MAREN AURORA', imo: '9481112', voyage: null, flight: null };
  const reported = { lat: 12.5, lng: 60.25, at: '2026-04-15T07:48:00.000Z', source: 'positions', vehicle };
  const from = { key: '@12.5_60.3', name: 'MAREN AURORA', lat: 12.5, lng: 60.25 };
  const seen = place({ key: from.key, from, mode: 'ocean', current_position: reported });
  expect(spotOf(seen, now)).toMatchObject({
    name: 'MAREN AURORA, seen 12 min ago',
    at: [60.25, 12.5],
    isMoving: false,
  });
  const nameless = place({ ...seen, mode: 'road', current_position: { ...reported, vehicle: null } });
  expect(spotOf(nameless, now + 3 * 86_400_000).name).toBe('Truck, seen 3 d ago');
});

const anySpots = fc
  .array(
    fc.record({
      x: fc.integer({ min: 0, max: 900 }),
      y: fc.integer({ min: 0, max: 400 }),
      count: fc.integer({ min: 1, max: 20_000 }),
    }),
    { maxLength: 60 },
  )
  .map((list) =>
    list.map(
      ({ x, y, count }, index): Spot => ({
        ...{ key: `P${index}`, name: `P${index}`, at: [x, y], isMoving: false, count, late: 0 },
      }),
    ),
  );

it('puts every shipment into exactly one circle, without overlaps', () => {
  fc.assert(
    fc.property(anySpots, (spots) => {
      const clusters = clustersOf(spots, (at) => at);
      const total = (counts: readonly { count: number }[]) => counts.reduce((sum, { count }) => sum + count, 0);
      expect(total(clusters)).toBe(total(spots));
      for (const [index, one] of clusters.entries()) {
        for (const other of clusters.slice(index + 1)) {
          expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThanOrEqual(one.radius + other.radius - 2);
        }
      }
    }),
  );
});
