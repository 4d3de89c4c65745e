import { geoDistance } from 'd3-geo';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';
import { pointsAlong, wayBetween } from '#shared/route-map/along-way.ts';
import { estimateOnRoute } from '#shared/route-map/estimate-on-route.ts';
import { routeLine } from '#shared/route-map/route-line.ts';
import { stopsOf } from '#shared/route-map/stops.ts';
import {
  bare,
  busan,
  eventOf,
  legOf,
  losAngeles,
  noTimes,
  placeAt,
  shanghai,
  timeAt,
} from '../../dashboard/shipment/shipment-parts.ts';

const past = legOf(1, shanghai, busan, { left: '2026-04-08T02:40', arrived: '2026-04-10T06:15' });
const underWay = {
  ...legOf(2, busan, losAngeles, { left: '2026-04-14T00:00' }),
  arrival: { ...noTimes, estimated: timeAt('2026-04-24T00:00') },
};
const departed = eventOf({ code: 'departed', location: busan });
const now = Date.parse('2026-04-19T00:00Z');
const lineOf = (legs: Parameters<typeof stopsOf>[0]['legs'], latest: typeof departed) =>
  routeLine(stopsOf({ ...bare, legs }), latest);

const lengthOf = (way: readonly LngLat[]) =>
  way.slice(1).reduce((sum, point, index) => sum + geoDistance([...(way[index] ?? point)], [...point]), 0);
const anyPoint = fc.tuple(
  fc.double({ min: -179, max: 179, noNaN: true }),
  fc.double({ min: -60, max: 70, noNaN: true }),
);

describe('a point along a way', () => {
  it('lies on the drawn line, after its share of the length', () => {
    fc.assert(
      fc.property(anyPoint, anyPoint, fc.double({ min: 0, max: 1, noNaN: true }), (from, to, share) => {
        const way = wayBetween(from, to, { mode: 'ocean' });
        const point = pointsAlong(way)(share);
        const wanted = lengthOf(way) * share;
        let passed = 0;
        // On the arc of which it is as far from both ends as the arc is long.
        const isOn = way.slice(1).some((end, index) => {
          const start = way[index] as LngLat;
          const arc = geoDistance([...start], [...end]);
          const before = geoDistance([...start], [...point]);
          const isHere = Math.abs(before + geoDistance([...point], [...end]) - arc) < 1e-6;
          const fits = isHere && Math.abs(passed + before - wanted) < 1e-6;
          passed += arc;
          return fits;
        });
        expect(isOn || wanted === 0).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('an estimated position on the route', () => {
  it('lies on the line of the leg under way, halfway after half the time', () => {
    const line = lineOf([past, underWay], departed);
    const estimate = line && estimateOnRoute(line, now);
    expect(estimate).toMatchObject({ share: 0.5, isOverdue: false, to: { place: { unlocode: 'USLAX' } } });
    expect(estimate?.at).toEqual(pointsAlong(line?.ahead[0] ?? [])(0.5));
  });

  it('waits before the port when the ETA has passed, until an arrival is reported', () => {
    const late = Date.parse('2026-04-26T00:00Z');
    const line = lineOf([past, underWay], departed);
    expect(line && estimateOnRoute(line, late)).toMatchObject({ isOverdue: true });
    const arrival = { ...underWay.arrival, actual: timeAt('2026-04-25T00:00') };
    const there = lineOf([past, { ...underWay, arrival }], departed);
    expect(there && estimateOnRoute(there, late)).toBeNull();
  });

  it('ends as soon as a position is known, by an event or a report since the departure', () => {
    const atSea = { ...placeAt('XXXXX', 48.7, 158.5), unlocode: null, name: null };
    const seen = lineOf([past, underWay], eventOf({ code: 'in_transit', location: atSea }));
    expect(seen && estimateOnRoute(seen, now)).toBeNull();
    const report = { lat: 40, lng: 170, at: '2026-04-18T00:00:00.000Z', source: 'positions', vehicle: null };
    const stops = stopsOf({ ...bare, legs: [past, underWay] });
    const reported = routeLine(stops, departed, { reported: report });
    expect(reported?.position).toMatchObject({ at: [170, 40], isAtPort: false, seen: { at: report.at } });
    expect(reported && estimateOnRoute(reported, now)).toBeNull();
    // Before the departure, the ship was somewhere else.
    const before = routeLine(stops, departed, { reported: { ...report, at: '2026-04-12T00:00:00.000Z' } });
    expect(before && estimateOnRoute(before, now)).toMatchObject({ share: 0.5 });
  });

  it('is unknown before a departure, and without an ETA', () => {
    const waiting = lineOf([past, { ...underWay, departure: noTimes }], departed);
    expect(waiting && estimateOnRoute(waiting, now)).toBeNull();
    const unknown = lineOf([past, { ...underWay, arrival: noTimes }], departed);
    expect(unknown && estimateOnRoute(unknown, now)).toBeNull();
  });
});
