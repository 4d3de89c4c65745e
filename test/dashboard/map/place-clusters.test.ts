import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MapShipment } from '#services/dashboard/screens/map/map-queries.ts';
import { clustersOf, type Spot, spotsOf } from '#services/dashboard/screens/map/place-clusters.ts';
import { eventOf, noTimes, placeAt } from '../shipment/shipment-parts.ts';

const arrival = {
  ...noTimes,
  original_estimated: null,
  promised: null,
  delay_hours: null,
  delay_basis: null,
  eta_source: null,
};
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
  eta: null,
  delay_hours: null,
  overdue_hours: null,
  late: false,
  ...changes,
});

it('places a shipment at its last reported place, else at its origin, or at its destination on request', () => {
  const one = shipment({
    origin: placeAt('CNSHA', 31, 121),
    destination: placeAt('USLAX', 33, -118),
    latest_event: eventOf(),
  });
  expect(spotsOf([one], 'place').spots.map(({ key }) => key)).toEqual(['KRPUS']);
  expect(spotsOf([{ ...one, latest_event: null }], 'place').spots.map(({ key }) => key)).toEqual(['CNSHA']);
  expect(spotsOf([one], 'destination').spots.map(({ key }) => key)).toEqual(['USLAX']);
});

it('counts shipments without coordinates separately', () => {
  const { spots, without } = spotsOf(
    [shipment({ origin: placeAt('CNSHA', null, null) }), shipment({ origin: placeAt('CNSHA', 31, 121) })],
    'place',
  );
  expect([spots.length, without.length]).toEqual([1, 1]);
});

const anySpots = fc
  .array(
    fc.record({
      x: fc.integer({ min: 0, max: 900 }),
      y: fc.integer({ min: 0, max: 400 }),
      count: fc.integer({ min: 1, max: 60 }),
    }),
    {
      maxLength: 60,
    },
  )
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

it('puts every shipment into exactly one circle, without overlaps', () => {
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

it('counts what the API calls late, as the list does', () => {
  const at = { origin: placeAt('CNSHA', 31, 121) };
  const { spots } = spotsOf([shipment({ ...at, late: true }), shipment({ ...at, delay_hours: 30 })], 'place');
  expect(clustersOf(spots, () => [0, 0]).map(({ late }) => late)).toEqual([1]);
});
