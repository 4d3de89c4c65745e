import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Place } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { currentVehicle, mapKeyOf, positionOf } from '#shared/domain/lists/map-position.ts';
import type { Leg } from '#shared/domain/record/shipment.ts';
import { place, readEvent, trackingEvent } from '../journey/journey-events.ts';

const port = (unlocode: string): Place => ({ ...place(unlocode), name: `Port of ${unlocode}`, lat: 10, lng: 20 });
const point = (key: string) => ({ key, name: `Port of ${key}`, lat: 10, lng: 20 });
const { time } = readEvent({ code: 'departed', hour: 0 });
const empty = composeJourney({ events: [], transportMode: 'ocean' }, 0);
const latestEvent = {
  ...trackingEvent({ id: 'e', code: 'departed', hour: 0 }),
  location: port('SGSIN'),
  leg: null,
  flags: [],
  fulfilledBy: null,
};

function leg(from: Place | null, to: Place | null, reached: { left: boolean; arrived: boolean }): Leg {
  const none = { planned: null, estimated: null, actual: null };
  return {
    sequence: 1,
    mode: 'ocean',
    from,
    to,
    vehicle: null,
    departure: { ...none, actual: reached.left ? time : null },
    arrival: { ...none, actual: reached.arrived ? time : null },
    delayHours: null,
    delayBasis: null,
  };
}

describe('the position of a shipment on the map', () => {
  it('is its current place', () => {
    const position = positionOf({ ...empty, latestEvent, currentLocation: port('NLRTM'), destination: port('DEHAM') });
    expect(position).toEqual({ from: point('NLRTM'), to: null, destination: point('DEHAM'), moving: false });
    expect(mapKeyOf(position, 'ocean')).toBe('NLRTM');
  });

  it('is about where the city is if the place is only named, and apart from places with coordinates', () => {
    const named: Place = { ...port('USMEM'), unlocode: null, name: 'Memphis, TN', lat: null, lng: null };
    const journey = { ...empty, latestEvent, currentLocation: named };
    expect(positionOf(journey).from).toBeNull();
    const position = positionOf(journey, () => ({ lat: 35.04, lng: -89.98 }));
    expect(position.from).toEqual({
      key: 'city_35.0_-90.0',
      name: 'Memphis, TN',
      lat: 35.04,
      lng: -89.98,
      approximate: true,
    });
    const stated = positionOf({ ...journey, currentLocation: { ...named, lat: 35.04, lng: -89.98 } });
    expect(stated.from).toEqual({ key: '35.0_-90.0', name: 'Memphis, TN', lat: 35.04, lng: -89.98 });
  });

  it('lies between the place that it left last and the next one', () => {
    const legs = [
      leg(port('CNSHA'), port('SGSIN'), { left: true, arrived: true }),
      leg(port('SGSIN'), port('NLRTM'), { left: true, arrived: false }),
      leg(port('NLRTM'), port('DEHAM'), { left: false, arrived: false }),
    ];
    const position = positionOf({ ...empty, latestEvent, legs, destination: port('DEHAM') });
    expect(position).toEqual({
      from: point('SGSIN'),
      to: point('NLRTM'),
      destination: point('DEHAM'),
      moving: true,
      departedAt: time.at,
      arrivesAt: null,
    });
    expect(mapKeyOf(position, 'ocean')).toBe('SGSIN~NLRTM~ocean');
  });

  it('on the way is drawn with those of the same departure and ETA, to the minute', () => {
    const eta = { ...time, at: '2026-04-20T06:00:00.000Z', local: '2026-04-20T14:00', timezone: 'Asia/Singapore' };
    const positionFor = (arrival: Partial<typeof eta>) => {
      const way = leg(port('CNSHA'), port('SGSIN'), { left: true, arrived: false });
      const legs = [{ ...way, arrival: { ...way.arrival, planned: time, estimated: { ...eta, ...arrival } } }];
      return positionOf({ ...empty, latestEvent, legs });
    };
    const position = positionFor({});
    expect(position).toMatchObject({ departedAt: time.at, arrivesAt: '2026-04-20T06:00:00.000Z' });
    const key = mapKeyOf(position, 'ocean');
    expect(key).toMatch(/^CNSHA~SGSIN~ocean~[0-9a-z]+~[0-9a-z]+$/);
    expect(mapKeyOf(positionFor({ at: '2026-04-20T06:00:30.000Z' }), 'ocean')).toBe(key);
    expect(mapKeyOf(positionFor({ at: '2026-04-20T06:01:00.000Z' }), 'ocean')).not.toBe(key);
    // A date is expected until its end.
    const day = positionFor({ local: '2026-04-20', precision: 'date' });
    expect(day.arrivesAt).toBe('2026-04-20T16:00:00.000Z');
  });

  it('towards a destination without a leg has the time of the latest event, and no arrival that has happened', () => {
    const arrival = { ...empty.arrival, estimated: { ...time, at: '2026-04-20T06:00:00.000Z' } };
    const position = positionOf({ ...empty, arrival, latestEvent, destination: port('DEHAM') });
    expect(position).toMatchObject({ departedAt: latestEvent.time.at, arrivesAt: '2026-04-20T06:00:00.000Z' });
    const there = { ...arrival, actual: time };
    expect(positionOf({ ...empty, arrival: there, latestEvent, destination: port('DEHAM') }).arrivesAt).toBeNull();
  });

  it('lies between the latest event and the destination while no leg states more', () => {
    const position = positionOf({ ...empty, latestEvent, destination: port('DEHAM') });
    expect(position).toMatchObject({ from: point('SGSIN'), to: point('DEHAM'), moving: true });
    const unknown = positionOf({ ...empty, latestEvent });
    expect(mapKeyOf(unknown, 'air')).toBe('SGSIN~~air');
  });

  it('is unknown without events, and without coordinates', () => {
    expect(mapKeyOf(positionOf(empty), 'ocean')).toBeNull();
    expect(mapKeyOf(positionOf({ ...empty, latestEvent, currentLocation: place('NLRTM') }), 'ocean')).toBeNull();
  });

  it('of a place without a code equals the place within a tenth of a degree, at the equator and meridian, too', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        (lat, lng) => {
          const key = mapKeyOf(
            positionOf({ ...empty, currentLocation: { ...place('XXXXX'), unlocode: null, lat, lng } }),
            'road',
          );
          const [near = Number.NaN, far = Number.NaN] = (key ?? '').split('_').map(Number);
          expect(key).toMatch(/^-?\d+\.\d_-?\d+\.\d$/);
          expect(key).not.toMatch(/-0\.0/);
          expect(Math.abs(near - lat)).toBeLessThanOrEqual(0.0500001);
          expect(Math.abs(far - lng)).toBeLessThanOrEqual(0.0500001);
        },
      ),
    );
  });
});

describe('the vehicle of a shipment', () => {
  const on = (name: string, reached: { left: boolean; arrived: boolean }): Leg => ({
    ...leg(null, null, reached),
    vehicle: { name, imo: null, voyage: null, flight: null },
  });
  const [past, present, ahead] = [
    on('past', { left: true, arrived: true }),
    on('present', { left: true, arrived: false }),
    on('ahead', { left: false, arrived: false }),
  ];

  it.each([
    ['present', [past, present, ahead]],
    ['ahead', [past, ahead]],
    ['past', [past]],
    [undefined, []],
  ])('is that of the leg under way, otherwise of the next or the last one: %s', (name, legs) => {
    expect(currentVehicle({ legs })?.name).toBe(name);
  });
});
