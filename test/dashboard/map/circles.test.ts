import { geoDistance } from 'd3-geo';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { circlesOf } from '#services/dashboard/screens/map/circles.ts';
import { markWords } from '#services/dashboard/screens/map/map-mark.tsx';
import { chosenCircle, circleShipmentsQuery } from '#services/dashboard/screens/map/map-queries.ts';
import { toWireGroups } from '#shared/contract/lists/map-wire.ts';
import type { MapPlace } from '#shared/domain/lists/map-places.ts';
import { spotOf } from '#shared/route-map/map-spots.ts';
import { clustersOf } from '#shared/route-map/place-clusters.ts';
import { projection } from '#shared/route-map/world-projection.ts';

const shanghai = { key: 'CNSHA', name: 'Shanghai', lat: 31.2, lng: 121.5 };
const rotterdam = { key: 'NLRTM', name: 'Rotterdam', lat: 51.9, lng: 4.5 };
const seenAt = { key: '@12.5_60.3', name: 'MAREN AURORA', lat: 12.5, lng: 60.25 };
const place = (changes: Partial<MapPlace> = {}): MapPlace => ({
  key: 'CNSHA',
  from: shanghai,
  to: null,
  isMoving: false,
  mode: null,
  departedAt: null,
  arrivesAt: null,
  count: 3,
  late: 1,
  reported: null,
  ...changes,
});
const atSea = {
  isMoving: true,
  mode: 'ocean',
  to: rotterdam,
  departedAt: '2026-04-01T00:00:00.000Z',
  arrivesAt: '2026-05-01T00:00:00.000Z',
} as const;
const now = Date.parse('2026-04-15T08:00:00Z');
const resultOf = <Result>(steps: Generator<void, Result>): Result => {
  const { done, value } = steps.next();
  return done ? value : resultOf(steps);
};
/** The circles that the page draws, from one end to the other. */
const circles = (places: readonly MapPlace[], at = now) => {
  const spots = places.map((one) => spotOf(one, at)).filter((one) => one !== null);
  const groups = resultOf(clustersOf(spots, 1)).map(({ spots: own, ...group }) => ({
    ...group,
    positions: own.length,
    place: own[0].place,
  }));
  return circlesOf(toWireGroups(groups), at);
};
const circle = (one: MapPlace, when = now) => {
  const [drawn] = circles([one], when);
  if (drawn === undefined) throw new Error('nothing is drawn');
  const at = projection.invert?.([drawn.x, drawn.y]) ?? [0, 0];
  return { ...drawn, at };
};

it('draws a shipment at its place, and one that has left at its estimated position', () => {
  expect(circle(place())).toMatchObject({ name: 'Shanghai', kind: 'place', count: 3, late: 1 });
  const moving = circle(place(atSea));
  expect(moving).toMatchObject({ name: 'At sea, Shanghai to Rotterdam', kind: 'estimated' });
  expect(moving.note).toBe('Estimated from departure and ETA, on the drawn line. No position reported.');
  // Halfway by sea is in the Indian Ocean, not in Siberia.
  const [lng, lat] = moving.at;
  expect([lng > 40 && lng < 105, lat > -10 && lat < 25]).toEqual([true, true]);
  expect(circle(place({ ...atSea, mode: 'air' })).name).toBe('In the air, Shanghai to Rotterdam');
  expect(circle(place({ ...atSea, mode: 'road' })).name).toBe('On the way, Shanghai to Rotterdam');
  expect(circle(place({ isMoving: true, mode: 'ocean' }))).toMatchObject({ name: 'Left Shanghai', kind: 'estimated' });
});

it('states that the ETA has passed, or that there is none', () => {
  const overdue = circle(place(atSea), Date.parse('2026-05-04T00:00:00Z'));
  expect(overdue.note).toBe(
    'The ETA passed 3 d ago. Drawn just before Rotterdam until an arrival or a position is reported.',
  );
  expect(geoDistance([...overdue.at], [rotterdam.lng, rotterdam.lat])).toBeGreaterThan(0.01);
  expect(circle(place({ ...atSea, arrivesAt: null })).note).toMatch(/^No usable ETA, so it is drawn halfway/);
});

it('moves an estimated shipment from the port it left towards the next one, and never past it', () => {
  const start = circle(place(atSea), 0).at;
  expect(geoDistance([...start], [shanghai.lng, shanghai.lat])).toBeLessThan(1e-6);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 30 }), (day, later) => {
      const left = (days: number) => {
        const { at } = circle(place(atSea), Date.parse('2026-04-01T00:00:00Z') + days * 86_400_000);
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
  const seen = place({ key: seenAt.key, from: seenAt, mode: 'ocean', reported });
  expect(circle(seen)).toMatchObject({
    name: 'MAREN AURORA, seen 12 min ago',
    kind: 'reported',
    note: null,
  });
  const nameless = place({ ...seen, mode: 'road', reported: { ...reported, vehicle: null } });
  expect(circle(nameless, now + 3 * 86_400_000).name).toBe('Truck, seen 3 d ago');
});

it('marks a place that was found by the name of its city, and states how many positions of a circle are estimates', () => {
  const memphis = { key: 'city_35.0_-90.0', name: 'Memphis, TN', lat: 35.04, lng: -89.98, approximate: true };
  const about = circle(place({ key: memphis.key, from: memphis, count: 2, late: 0 }));
  expect(about).toMatchObject({ kind: 'approximate', estimated: 0, approximate: 2 });
  expect(markWords(about)).toBe('Memphis, TN: 2 shipments. Approximate, based on the city name.');
  const nashville = place({
    key: 'USBNA',
    from: { ...memphis, key: 'USBNA', name: 'Nashville', approximate: false },
    count: 5,
    late: 0,
  });
  const [mixed] = circles([place({ key: memphis.key, from: memphis, count: 2, late: 0 }), nashville]).map(markWords);
  expect(mixed).toBe('Nashville and 1 more: 7 shipments, 2 approximate, based on the city name');
  const onTheWay = circle(place({ ...atSea, mode: 'road', from: memphis }));
  expect(onTheWay.note).toMatch(/^Estimated from .* Approximate, based on the city name: Memphis, TN\.$/);
  const waiting = place({ key: 'CNSHA~~ocean', isMoving: true, mode: 'ocean', count: 1, late: 0 });
  const [together] = circles([place({ count: 1234, late: 0 }), waiting]).map(markWords);
  expect(together).toBe('Shanghai and 1 more: 1,235 shipments, 1 at estimated positions');
  const [estimates] = circles([{ ...waiting, key: 'A', count: 2 }, waiting]);
  expect(estimates?.kind).toBe('estimated');
  expect(estimates && markWords(estimates)).toBe('Left Shanghai and 1 more: 3 shipments, all at estimated positions');
});

it('asks for the shipments of a circle again when its content, its time or its scale differs, not when the map moves', () => {
  const answer = (changes: { view?: string; as_of?: string; count?: number; key?: string } = {}) => {
    const { view = '4,-60,-60,60,60', as_of = '2026-04-01T00:00:00.000Z', count = 3, key = 'CNSHA' } = changes;
    const circle = chosenCircle('CNSHA', { view, as_of, groups: [{ key, count, positions: 2 }] } as never);
    return JSON.stringify(circleShipmentsQuery('place', circle).queryKey);
  };
  expect(answer({ view: '4,-50,-50,70,70' })).toBe(answer());
  const others = [
    answer({ view: '8,-60,-60,60,60' }),
    answer({ as_of: '2026-04-01T00:00:10.000Z' }),
    answer({ count: 4 }),
    answer({ key: 'NLRTM' }),
    answer({ key: 'NLRTM', view: '4,-50,-50,70,70' }),
  ];
  expect(new Set([answer(), ...others]).size).toBe(6);
});
