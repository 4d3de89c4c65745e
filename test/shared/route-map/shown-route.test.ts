import { describe, expect, it } from 'vitest';
import { lineStops, locateIn, namedPlaces, shownRoute } from '#shared/route-map/shown-route.ts';
import { stopsOf } from '#shared/route-map/stops.ts';
import { eventOf, legOf, noTimes, placeAt, timeAt } from '../../dashboard/shipment/shipment-parts.ts';

const bare = { origin: null, destination: null, departure: noTimes, arrival: { ...noTimes, delay_hours: null } };

describe('shownRoute', () => {
  const at = (name: string, lat: number | null, lng: number | null) => ({
    ...placeAt('XXXXX', lat, lng, name),
    unlocode: null,
    country: 'US',
  });
  const [chicago, memphis, atlanta] = [at('Chicago', 41.9, -87.6), at('Memphis', 35, -90), at('Atlanta', 33.6, -84.4)];
  const hodgkins = at('Hodgkins', null, null);
  let asked: (string | null)[] = [];
  const scan = (local: string, location: typeof chicago) => eventOf({ code: 'in_transit', local, location });
  const parcel = (
    changes: Partial<Parameters<typeof shownRoute>[0]> = {},
    extras: Parameters<typeof shownRoute>[1] = {},
  ) => {
    const events = [
      scan('2026-04-12T08:00', memphis),
      scan('2026-04-10T08:00', chicago),
      scan('2026-04-11T08:00', hodgkins),
      scan('2026-04-11T20:00', memphis),
    ];
    const journey = {
      ...bare,
      delivery: { actual: null } as never,
      legs: [],
      origin: chicago,
      destination: atlanta,
      return: null,
      events,
      latest_event: events[0] ?? null,
      ...changes,
    };
    asked = namedPlaces(journey).map(({ name }) => name);
    return shownRoute(journey, extras);
  };
  const statesOf = ({ stops }: ReturnType<typeof shownRoute>) => stops.map(({ place, state }) => [place.name, state]);

  it('draws places that are only named where they are found, marked as approximate', () => {
    const found = { name: 'Hodgkins', country: 'US', lat: 41.8, lng: -87.9 };
    const { line, unplaced, approximate } = parcel({}, { locate: locateIn([found]) });
    expect([asked, unplaced, approximate]).toEqual([['Hodgkins'], [], ['Hodgkins']]);
    expect(line?.ports.find(({ isApproximate }) => isApproximate)).toMatchObject({
      stop: { place: { name: 'Hodgkins', lat: null, lng: null } },
      at: [-87.9, 41.8],
    });
    const others = [
      { ...found, country: 'CA' },
      { ...found, name: 'Memphis' },
    ];
    expect(parcel({}, { locate: locateIn(others) })).toMatchObject({ unplaced: ['Hodgkins'], approximate: [] });
  });

  it('shows the places where a parcel was reported, in order, and names those without coordinates', () => {
    const route = parcel();
    expect(statesOf(route)).toEqual([
      ['Chicago', 'left'],
      ['Hodgkins', 'left'],
      ['Memphis', 'here'],
      ['Atlanta', 'ahead'],
    ]);
    expect(route.unplaced).toEqual(['Hodgkins']);
    expect(route.line?.done).toEqual([
      [
        [-87.6, 41.9],
        [-90, 35],
      ],
    ]);
    expect(route.line?.ahead).toEqual([
      [
        [-90, 35],
        [-84.4, 33.6],
      ],
    ]);
    expect(route.line?.position?.isAtPort).toBe(true);
  });

  it('ends at the destination once delivered, and never reaches it on the way back', () => {
    const delivered = parcel({ delivery: { actual: timeAt('2026-04-13T08:00') } as never });
    expect(statesOf(delivered).at(-1)).toEqual(['Atlanta', 'here']);
    expect(delivered.line?.ahead).toEqual([]);
    const events = [
      scan('2026-04-10T08:00', chicago),
      scan('2026-04-12T08:00', memphis),
      scan('2026-04-13T08:00', chicago),
    ];
    const back = parcel({ events, latest_event: events[2] ?? null, return: {} as never });
    expect(statesOf(back)).toEqual([
      ['Memphis', 'left'],
      ['Chicago', 'here'],
    ]);
  });

  it('has the times of the delivery at the destination, also while the parcel is there', () => {
    const delivery = { ...noTimes, estimated: timeAt('2026-04-14T12:00') } as never;
    expect(parcel({ delivery }).stops.at(-1)?.arrival).toBe(delivery);
    const events = [scan('2026-04-10T08:00', chicago), scan('2026-04-13T08:00', atlanta)];
    const { stops } = parcel({ delivery, events, latest_event: events[1] ?? null });
    expect(stops.map(({ place, state }) => [place.name, state])).toEqual([
      ['Chicago', 'left'],
      ['Atlanta', 'here'],
    ]);
    expect(stops[1]?.arrival).toBe(delivery);
  });

  it('draws nothing where fewer than two of several places can be placed', () => {
    expect(parcel({ events: [scan('2026-04-10T08:00', hodgkins)], destination: null }).line).toBeNull();
    expect(parcel({ events: [scan('2026-04-10T08:00', chicago)], destination: null }).line).not.toBeNull();
  });

  it('ignores retracted events, expectations, and places of which only the country is known', () => {
    const country = { ...hodgkins, name: null };
    const events = [
      scan('2026-04-10T08:00', chicago),
      { ...scan('2026-04-11T08:00', memphis), flags: ['voided'] },
      { ...scan('2026-04-12T08:00', memphis), classifier: 'estimated' },
      scan('2026-04-13T08:00', country),
    ];
    expect(statesOf(parcel({ events }))).toEqual([
      ['Chicago', 'here'],
      ['Atlanta', 'ahead'],
    ]);
  });

  it('uses the coordinates of a place from any mention of it, and departures only where they were reported', () => {
    const events = [
      { ...scan('2026-04-10T08:00', at('Chicago', null, null)), code: 'departed_facility' },
      scan('2026-04-11T08:00', memphis),
      scan('2026-04-12T08:00', atlanta),
    ];
    const { stops, unplaced } = parcel({ events, latest_event: events[2] ?? null });
    expect(unplaced).toEqual([]);
    expect(stops.map(({ departure }) => departure?.actual?.local ?? null)).toEqual(['2026-04-10T08:00', null, null]);
    expect(lineStops(stops, false).map(({ place }) => place.name)).toEqual(['Chicago', 'Atlanta']);
  });

  it('keeps to the legs where there are some', () => {
    const legs = [legOf(1, chicago, atlanta, { left: '2026-04-08T02:40' })];
    expect(parcel({ legs }).stops).toEqual(stopsOf({ ...bare, delivery: noTimes, legs }));
  });
});
