import { geoPath } from 'd3-geo';
import { describe, expect, it } from 'vitest';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';
import { fitRoute } from '#shared/route-map/fit-route.ts';
import { pointsOf, routeLine } from '#shared/route-map/route-line.ts';
import { shareOfTime, stopsOf } from '#shared/route-map/stops.ts';
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

const pacific = [
  legOf(1, shanghai, busan, { left: '2026-04-08T02:40', arrived: '2026-04-10T06:15' }),
  legOf(2, busan, losAngeles, { left: '2026-04-14T04:30' }),
].map((leg) => ({ ...leg, mode: 'air' }));
const frame = { width: 984, height: 280, top: 48, right: 130, bottom: 44, left: 130 };

describe('stopsOf', () => {
  it('joins the end of a leg with the start of the next, and marks stops as left, here or ahead', () => {
    const stops = stopsOf({ ...bare, legs: pacific });
    expect(stops.map(({ place, state }) => [place.unlocode, state])).toEqual([
      ['CNSHA', 'left'],
      ['KRPUS', 'left'],
      ['USLAX', 'ahead'],
    ]);
    expect(stops[1]?.arrival?.actual).not.toBeNull();
    expect(stops[1]?.departure?.actual).not.toBeNull();
  });

  it('marks an unreported stop as left once a later one is reached', () => {
    const stops = stopsOf({
      ...bare,
      legs: [legOf(1, shanghai, busan), legOf(2, busan, losAngeles, { arrived: '2026-04-25T13:00' })],
    });
    expect(stops.map(({ state }) => state)).toEqual(['left', 'left', 'here']);
  });

  it('has reached the end once the shipment is delivered, even without a reported arrival', () => {
    const places = { ...bare, legs: [], origin: shanghai, destination: losAngeles };
    const delivery = { ...noTimes, actual: timeAt('2026-04-26T09:00') };
    expect(stopsOf(places).map(({ state }) => state)).toEqual(['ahead', 'ahead']);
    expect(stopsOf({ ...places, delivery }).map(({ state }) => state)).toEqual(['left', 'here']);
  });

  it('returns origin and destination without legs, and nothing without places', () => {
    expect(stopsOf({ ...bare, legs: [], origin: shanghai, destination: losAngeles })).toHaveLength(2);
    expect(stopsOf({ ...bare, legs: [], origin: shanghai, destination: shanghai })).toHaveLength(1);
    expect(stopsOf({ ...bare, legs: [] })).toEqual([]);
  });
});

describe('routeLine', () => {
  const stops = stopsOf({ ...bare, legs: pacific });

  it('splits the current leg at the last position', () => {
    const line = routeLine(
      stops,
      eventOf({ code: 'in_transit', location: { ...placeAt('XXXXX', 48.7, 158.5), unlocode: null, name: null } }),
    );
    expect(line?.done).toEqual([
      [
        [121.5, 31.2],
        [129, 35.1],
      ],
      [
        [129, 35.1],
        [158.5, 48.7],
      ],
    ]);
    expect(line?.ahead).toEqual([
      [
        [158.5, 48.7],
        [-118.2, 33.7],
      ],
    ]);
  });

  it('draws nothing as travelled beyond the last port without a position at sea', () => {
    const line = routeLine(stops, eventOf({ location: busan }));
    expect(line?.done).toHaveLength(1);
    expect(line?.ahead).toEqual([
      [
        [129, 35.1],
        [-118.2, 33.7],
      ],
    ]);
    expect(line?.position).toMatchObject({ isAtPort: true, at: [129, 35.1] });
  });

  it('skips places without coordinates, and returns null if none has any', () => {
    const unplaced = stopsOf({ ...bare, legs: [legOf(1, placeAt('DEHAJ', null, null), placeAt('NLRTM', null, null))] });
    expect(routeLine(unplaced, null)).toBeNull();
    const half = stopsOf({
      ...bare,
      legs: [legOf(1, shanghai, placeAt('XXAAA', null, null)), legOf(2, placeAt('XXAAA', null, null), losAngeles)].map(
        (leg) => ({
          ...leg,
          mode: 'air',
        }),
      ),
    });
    expect(routeLine(half, null)?.ahead).toEqual([
      [
        [121.5, 31.2],
        [-118.2, 33.7],
      ],
    ]);
  });
});

describe('fitRoute', () => {
  const project = (points: LngLat[]) => {
    const lines = points.slice(1).map((point, index) => [points[index] as LngLat, point]);
    const projection = fitRoute(lines, points, frame);
    return {
      projection,
      drawn: points.map((point) => projection([...point]) as [number, number]),
      path: geoPath(projection),
    };
  };

  it('draws a route across the Pacific in one piece, from left to right', () => {
    const { drawn, path } = project([
      [121.5, 31.2],
      [129, 35.1],
      [-118.2, 33.7],
    ]);
    expect(drawn.map(([x]) => x)).toEqual(drawn.map(([x]) => x).toSorted((left, right) => left - right));
    const line =
      path({
        type: 'LineString',
        coordinates: [
          [129, 35.1],
          [-118.2, 33.7],
        ],
      }) ?? '';
    expect(line.match(/M/g)).toHaveLength(1);
  });

  it.each<[string, LngLat[]]>([
    [
      'across the antimeridian',
      [
        [179.5, -36],
        [-179.5, -37],
      ],
    ],
    [
      'from Auckland to Valparaiso',
      [
        [174.8, -36.8],
        [-71.6, -33],
      ],
    ],
    [
      'over the pole',
      [
        [8.5, 50],
        [126.4, 37.4],
        [-87.9, 42],
      ],
    ],
    [
      'within one port',
      [
        [4.1, 51.9],
        [4.2, 51.9],
      ],
    ],
    ['at a single point', [[4.1, 51.9]]],
    [
      'half around the globe',
      [
        [0, 0],
        [179, 1],
      ],
    ],
  ])('draws every place inside the picture: %s', (_, points) => {
    const { drawn } = project(points);
    for (const [x, y] of drawn) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(frame.width);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(frame.height);
    }
  });
});

it('fits the map to paths, ports and the position', () => {
  const line = routeLine(
    stopsOf({ ...bare, legs: pacific }),
    eventOf({ location: { ...busan, unlocode: null, name: 'At sea', lat: 48, lng: 158 } }),
  );
  expect(line && pointsOf(line)).toContainEqual([158, 48]);
});

it('computes the progress only of a current leg with an expected arrival', () => {
  const leg = {
    ...legOf(1, busan, losAngeles, { left: '2026-04-14T00:00' }),
    arrival: { ...noTimes, estimated: timeAt('2026-04-24T00:00') },
  };
  expect(shareOfTime(leg, Date.parse('2026-04-19T00:00Z'))).toEqual({ share: 0.5, leftMs: 5 * 86_400_000 });
  expect(shareOfTime(leg, Date.parse('2026-04-25T00:00Z'))).toBeNull();
  expect(shareOfTime({ ...leg, arrival: noTimes }, Date.parse('2026-04-19T00:00Z'))).toBeNull();
});
