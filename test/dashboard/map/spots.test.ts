import { geoDistance } from 'd3-geo';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spotsOf } from '#services/dashboard/screens/map/spots.ts';
import type { WireMap } from '#shared/contract/shipments/map-wire.ts';

const shanghai = { key: 'CNSHA', name: 'Shanghai', lat: 31.2, lng: 121.5, approximate: false };
const rotterdam = { key: 'NLRTM', name: 'Rotterdam', lat: 51.9, lng: 4.5, approximate: false };
const seenAt = { key: '@12.5_60.3', name: 'MAREN AURORA', lat: 12.5, lng: 60.25, approximate: false };
type Place = WireMap['places'][number];
const place = (changes: Partial<Place> = {}): Place => ({
  key: 'CNSHA',
  from: 'CNSHA',
  to: null,
  moving: false,
  mode: null,
  departed_at: null,
  arrives_at: null,
  count: 3,
  late: 1,
  current_position: null,
  ...changes,
});
const atSea = {
  moving: true,
  mode: 'ocean',
  to: 'NLRTM',
  departed_at: '2026-04-01T00:00:00.000Z',
  arrives_at: '2026-05-01T00:00:00.000Z',
} as const;
const now = Date.parse('2026-04-15T08:00:00Z');
const spot = (one: Place, at = now) => {
  const [drawn] = spotsOf({ points: [shanghai, rotterdam, seenAt], places: [one] }, at);
  if (drawn === undefined) throw new Error('nothing is drawn');
  return drawn;
};

it('draws a shipment at its place, and one that has left where it should be by its times', () => {
  expect(spot(place())).toMatchObject({ name: 'Shanghai', at: [121.5, 31.2], kind: 'place', count: 3, late: 1 });
  const moving = spot(place(atSea));
  expect(moving).toMatchObject({ name: 'At sea, Shanghai to Rotterdam', kind: 'estimated' });
  expect(moving.note).toBe('Estimated from departure and ETA, on the drawn line. No position reported.');
  // Halfway by sea is in the Indian Ocean, not in Siberia.
  const [lng, lat] = moving.at;
  expect([lng > 40 && lng < 105, lat > -10 && lat < 25]).toEqual([true, true]);
  expect(spot(place({ ...atSea, mode: 'air' })).name).toBe('In the air, Shanghai to Rotterdam');
  expect(spot(place({ ...atSea, mode: 'road' })).name).toBe('On the way, Shanghai to Rotterdam');
  expect(spot(place({ moving: true, mode: 'ocean' }))).toMatchObject({ name: 'Left Shanghai', at: [121.5, 31.2] });
});

it('says so when the ETA has passed, and when there is none', () => {
  const overdue = spot(place(atSea), Date.parse('2026-05-04T00:00:00Z'));
  expect(overdue.note).toBe(
    'The ETA passed 3 d ago. Drawn just before Rotterdam until an arrival or a position is reported.',
  );
  expect(geoDistance([...overdue.at], [rotterdam.lng, rotterdam.lat])).toBeGreaterThan(0.01);
  expect(spot(place({ ...atSea, arrives_at: null })).note).toMatch(/^No usable ETA, so it is drawn halfway/);
});

it('moves an estimated shipment from the port it left towards the next one, and never past it', () => {
  const start = spot(place(atSea), 0).at;
  expect(geoDistance([...start], [shanghai.lng, shanghai.lat])).toBeLessThan(1e-6);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 30 }), (day, later) => {
      const left = (days: number) => {
        const { at, way } = spot(place(atSea), Date.parse('2026-04-01T00:00:00Z') + days * 86_400_000);
        expect(way?.length).toBeGreaterThan(2);
        return geoDistance([...at], [rotterdam.lng, rotterdam.lat]);
      };
      // Along the lane and not as the crow flies: only its last part, from Gibraltar on, comes nearer all the time.
      if (day >= 27) expect(left(day + later)).toBeLessThanOrEqual(left(day) + 1e-9);
      expect(left(day)).toBeGreaterThan(0.01);
    }),
    { numRuns: 40 },
  );
});

it('draws a reported position where the vehicle was, with its age in words, and never an estimate', () => {
  const vehicle = { name: 'MAREN AURORA', imo: '9481112', voyage: null, flight: null };
  const reported = { lat: 12.5, lng: 60.25, at: '2026-04-15T07:48:00.000Z', source: 'positions', vehicle };
  const seen = place({ key: seenAt.key, from: seenAt.key, mode: 'ocean', current_position: reported });
  expect(spot(seen)).toMatchObject({
    name: 'MAREN AURORA, seen 12 min ago',
    at: [60.25, 12.5],
    kind: 'reported',
    note: null,
  });
  const nameless = place({ ...seen, mode: 'road', current_position: { ...reported, vehicle: null } });
  expect(spot(nameless, now + 3 * 86_400_000).name).toBe('Truck, seen 3 d ago');
});
