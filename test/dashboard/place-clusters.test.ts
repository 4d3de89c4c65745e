import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrivesThisWeek, clustersOf, isLate, type Spot, spotsOf } from '#services/dashboard/map/place-clusters.ts';
import type { MapShipment } from '#services/dashboard/map/use-current.ts';
import { eventOf, noTimes, placeAt, timeAt } from './shipment-parts.ts';

const arrival = { ...noTimes, original_estimated: null, delay_hours: null, eta_source: null };
const shipment = (changes: Partial<MapShipment> = {}): MapShipment => ({
  shipment_id: 'shp_1',
  transport_mode: 'ocean',
  carrier: 'MAEU',
  identifiers: {},
  reference: null,
  status: 'in_transit',
  origin: null,
  destination: null,
  latest_event: null,
  arrival,
  delay_hours: null,
  ...changes,
});
const now = Date.parse('2026-04-21T00:00:00Z');

it('a shipment stands where it was last seen, else where it begins, and on demand where it goes', () => {
  const one = shipment({ origin: placeAt('CNSHA', 31, 121), destination: placeAt('USLAX', 33, -118), latest_event: eventOf() });
  expect(spotsOf([one], 'place').spots.map(({ key }) => key)).toEqual(['KRPUS']);
  expect(spotsOf([{ ...one, latest_event: null }], 'place').spots.map(({ key }) => key)).toEqual(['CNSHA']);
  expect(spotsOf([one], 'destination').spots.map(({ key }) => key)).toEqual(['USLAX']);
});

it('a shipment whose places have no coordinates is counted apart, not lost', () => {
  const { spots, without } = spotsOf(
    [shipment({ origin: placeAt('CNSHA', null, null) }), shipment({ origin: placeAt('CNSHA', 31, 121) })],
    'place',
  );
  expect([spots.length, without.length]).toEqual([1, 1]);
});

const anySpots = fc
  .array(fc.record({ x: fc.integer({ min: 0, max: 900 }), y: fc.integer({ min: 0, max: 400 }), count: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 60,
  })
  .map((list) =>
    list.map(
      ({ x, y, count }, index): Spot => ({
        key: `P${index}`,
        name: `P${index}`,
        at: [x, y],
        shipments: Array.from({ length: count }, () => shipment()),
      }),
    ),
  );

it('no two circles cover each other, and every shipment is in exactly one', () => {
  fc.assert(
    fc.property(anySpots, (spots) => {
      const clusters = clustersOf(spots, (at) => at);
      const total = (counts: readonly { shipments: readonly unknown[] }[]) =>
        counts.reduce((sum, { shipments }) => sum + shipments.length, 0);
      expect(total(clusters)).toBe(total(spots));
      for (const [index, one] of clusters.entries()) {
        for (const other of clusters.slice(index + 1)) {
          expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThanOrEqual(one.radius + other.radius - 2);
        }
      }
    }),
  );
});

it('late is more than a day, and this week is the next seven days', () => {
  expect([24, 25, null].map((delay_hours) => isLate({ delay_hours }))).toEqual([false, true, false]);
  const at = (local: string) => arrivesThisWeek({ arrival: { ...arrival, estimated: timeAt(local) } }, now);
  expect(['2026-04-20T23:00', '2026-04-21T01:00', '2026-04-27T23:00', '2026-04-28T01:00'].map(at)).toEqual([false, true, true, false]);
  expect(arrivesThisWeek({ arrival: { ...arrival, estimated: timeAt('2026-04-22T00:00'), actual: timeAt('2026-04-22T00:00') } }, now)).toBe(
    false,
  );
});
