import { describe, expect, it } from 'vitest';
import type { Place } from '#shared/domain/events/event.ts';
import { airports } from '#shared/places/airports.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { checkedPorts } from '#shared/places/checked-ports.ts';
import { enrichPlace, findPlace } from '#shared/places/find-place.ts';
import { listedPorts } from '#shared/places/listed-ports.ts';
import { findPlaceZone } from '#shared/places/place-zone.ts';
import { knownPorts } from './known-ports.ts';

const nothing: Place = {
  name: null,
  unlocode: null,
  iata: null,
  country: null,
  lat: null,
  lng: null,
  timezone: null,
  facility: null,
};
const at = (unlocode: string, stated: Partial<Place> = {}) => enrichPlace({ ...nothing, unlocode, ...stated });
const kmPerDegree = 111.2;

function kmBetween(place: { lat: number | null; lng: number | null } | null, lat: number, lng: number): number {
  if (place?.lat == null || place.lng === null) return Number.POSITIVE_INFINITY;
  const east = (place.lng - lng) * Math.cos((lat * Math.PI) / 180);
  return Math.hypot(place.lat - lat, east) * kmPerDegree;
}

/** The IANA zones of a country, under the runtime's names. */
function zonesOf(country: string): string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones: () => string[] | undefined };
  return (locale.getTimeZones() ?? []).map(runtimeName);
}

function runtimeName(timeZone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
}

describe('zones', () => {
  it('gives every known port and airport a zone of its own country, or none', () => {
    const places = [
      ...[...listedPorts().keys(), ...checkedPorts.keys()].map((unlocode) => at(unlocode)),
      ...airports.map(({ iata }) => enrichPlace({ ...nothing, iata })),
    ];
    expect(places.length).toBeGreaterThan(2000);
    const wrong = places.filter(
      ({ country, timezone }) => timezone !== null && !zonesOf(country ?? '').includes(runtimeName(timezone)),
    );
    expect(wrong.map(({ unlocode, timezone }) => `${unlocode} ${timezone}`)).toEqual([]);
    // The Netherlands Antilles are no country any more; two rows have no usable coordinates.
    const unknown = places.filter(({ timezone }) => timezone === null).map(({ unlocode }) => unlocode);
    expect(new Set(unknown.filter((code) => !code?.startsWith('AN')))).toEqual(new Set(['CLCAP', 'ESEBO']));
  });

  it.each([
    ['USOAK', 'America/Los_Angeles'],
    ['THBKK', 'Asia/Bangkok'],
    ['BRMAO', 'America/Manaus'],
    ['MOMFM', 'Asia/Macau'],
    ['VNHPH', 'Asia/Ho_Chi_Minh'],
    ['BHBAH', 'Asia/Bahrain'],
    ['JOAQJ', 'Asia/Amman'],
    ['USDET', 'America/Detroit'],
    ['MXTIJ', 'America/Tijuana'],
    ['CNURC', 'Asia/Shanghai'],
    ['NLZZZ', 'Europe/Amsterdam'],
    ['USZZZ', null],
  ])('%s has the zone %s', (unlocode, timezone) => {
    expect(at(unlocode).timezone).toBe(timezone);
  });

  it('reads 08:00 in Oakland in November as 16:00 UTC', () => {
    const time = carrierTime('2026-11-10T08:00', { policy: 'localNoOffset', place: at('USOAK') });
    expect(time).toMatchObject({ at: '2026-11-10T16:00:00.000Z', timezone: 'America/Los_Angeles' });
  });

  it('names the source of a zone, best evidence first', () => {
    const oakland = { stated: null, country: 'US', lat: 37.8, lng: -122.32, listed: 'America/Chicago' };
    const [timezone, elsewhere] = ['America/Los_Angeles', { lat: 52.5, lng: 13.4 }];
    expect(findPlaceZone({ ...oakland, stated: 'America/Boise' })).toEqual({
      timezone: 'America/Boise',
      source: 'stated',
    });
    expect(findPlaceZone({ ...oakland, stated: 'No/Zone' })).toEqual({ timezone, source: 'coordinates' });
    expect(findPlaceZone(oakland)).toEqual({ timezone, source: 'coordinates' });
    expect(findPlaceZone({ ...oakland, ...elsewhere })).toEqual({ timezone: 'America/Chicago', source: 'list' });
    expect(findPlaceZone({ ...oakland, ...elsewhere, listed: 'Asia/Tehran' })).toBeNull();
    expect(findPlaceZone({ ...oakland, ...elsewhere, country: 'IN', listed: 'Asia/Tehran' })).toEqual({
      timezone: 'Asia/Kolkata',
      source: 'country',
    });
    expect(findPlaceZone({ stated: null, country: null, lat: 30, lng: -150, listed: null })).toBeNull();
  });
});

describe('the zone that the carrier stated', () => {
  it('keeps name, coordinates and zone', () => {
    const stated = { name: 'OAKLAND OUTER HARBOR', lat: 37.81, lng: -122.33, timezone: 'America/Boise' };
    expect(at('USOAK', stated)).toMatchObject(stated);
    expect(enrichPlace({ ...nothing, iata: 'FRA', ...stated })).toMatchObject({ ...stated, unlocode: 'DEFRA' });
  });

  it('prefers the zone of the place to a stated one that contradicts the offset of a time', () => {
    const place = at('USOAK', { timezone: 'America/Chicago' });
    const time = (text: string) => carrierTime(text, { policy: 'localNoOffset', place });
    expect(time('2026-11-10T08:00:00-08:00')).toMatchObject({ timezone: 'America/Los_Angeles' });
    expect(time('2026-11-10T08:00:00-06:00')).toMatchObject({ timezone: 'America/Chicago' });
    expect(time('2026-11-10T08:00:00+03:00')).toMatchObject({ timezone: null, local: '2026-11-10T08:00:00' });
  });
});

describe('coordinates', () => {
  it('puts more than 200 known ports within 35 km of where they are', () => {
    expect(knownPorts.length).toBeGreaterThan(200);
    const far = knownPorts.filter(([code, lat, lng]) => !(kmBetween(findPlace(code), lat, lng) < 35));
    expect(far).toEqual([]);
  });

  it('exchanges latitude and longitude of rows that only then lie in their country, and drops points elsewhere', () => {
    expect(findPlace('CLPPD')).toMatchObject({ lat: expect.closeTo(-27.05, 1), lng: expect.closeTo(-70.84, 1) });
    // The list puts Southampton, Bermuda, in England and San Vicente, Chile, in Spain.
    expect(findPlace('BMSOU')).toMatchObject({ lat: null, lng: null, timezone: 'Atlantic/Bermuda' });
    expect(findPlace('CLCAP')).toMatchObject({ lat: null, lng: null, timezone: null });
  });
});
