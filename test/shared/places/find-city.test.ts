import { describe, expect, it } from 'vitest';
import { cityOf } from '#infra/tools/simulator/parcels/cities.ts';
import { airports } from '#shared/places/airports.ts';
import { checkedPorts } from '#shared/places/checked-ports.ts';
import { approximatePoint, findCity } from '#shared/places/find-city.ts';
import { nowhere } from '#shared/places/find-place.ts';
import { findTimezone } from '#shared/places/zones/country-zones.ts';

const find = (city: string, country: string, state: string | null = null) => findCity({ city, state, country });

describe('findCity', () => {
  it('finds a city under its local and foreign names, in any spelling', () => {
    const cologne = find('Cologne', 'DE');
    expect(cologne).toEqual({ lat: 50.87, lng: 7.14 });
    for (const name of ['Köln', 'KOELN', 'köln ']) expect(find(name, 'DE')).toEqual(cologne);
    expect(find('東京', 'JP')).toEqual(find('Tokyo', 'JP'));
  });

  it('distinguishes cities of one name by country and state, and finds none of the wrong one', () => {
    expect(find('Columbus', 'US', 'OH')).not.toBeNull();
    expect(find('Omaha', 'US', 'NE')).not.toBeNull();
    expect(find('Omaha', 'US', 'IA')).toBeNull();
    expect([find('Rotterdam', ''), find('Rotterdam', 'N')]).toEqual([null, null]);
    expect(find('Columbus', 'US', 'GA')).toBeNull();
    expect(find('Portland', 'US', 'ME')).toBeNull();
    expect(find('Wilmington', 'US', 'DE')?.lat).toBeCloseTo(39.7, 0);
    expect(find('Wilmington', 'US', 'NC')?.lat).toBeCloseTo(34.2, 0);
    expect(find('Wilmington', 'US')).toBeNull();
    expect(find('Córdoba', 'AR')?.lat).toBeLessThan(0);
    expect(find('Córdoba', 'ES')).toBeNull();
  });

  it('finds no small town, because only some are listed', () => {
    for (const name of ['Hodgkins', 'Smyrna']) expect(find(name, 'US', 'IL')).toBeNull();
    for (const name of ['Neustadt', 'Newport', '', 'Harbour'])
      for (const country of ['DE', 'GB']) expect(find(name, country)).toBeNull();
  });

  it('has a state for every listed airport and port of the United States', () => {
    const listed = [...airports, ...checkedPorts.values()].filter(({ unlocode }) => unlocode.startsWith('US'));
    const states =
      'AK AL AR AZ CA CO CT DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC NE NH NJ NM NV NY OH OK OR PA RI SC TN TX UT VA WA WI'.split(
        ' ',
      );
    const missing = listed.filter(({ name }) => !states.some((state) => find(name, 'US', state) !== null));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('finds places as records name them, and none that has coordinates or a code', () => {
    const columbus = { ...nowhere, name: 'Columbus, OH', country: 'US' };
    expect(approximatePoint(columbus)).toEqual(find('Columbus', 'US', 'OH'));
    expect(approximatePoint({ ...columbus, name: 'Columbus, GA' })).toBeNull();
    expect(approximatePoint({ ...columbus, name: 'Köln', country: 'DE' })).toEqual(find('Köln', 'DE'));
    expect(approximatePoint({ ...columbus, name: 'Köln, NW', country: 'DE' })).toEqual(find('Köln', 'DE'));
    for (const known of [{ unlocode: 'USXYZ' }, { iata: 'CMH' }, { lat: 40, lng: -83 }])
      expect(approximatePoint({ ...columbus, ...known })).toBeNull();
  });

  it('lies in the time zone of the city', () => {
    for (const name of [
      'New York',
      'Denver',
      'Seattle',
      'Memphis',
      'Louisville',
      'Berlin',
      'München',
      'Paris',
      'Milano',
    ]) {
      const { state, country, zone } = cityOf(name);
      const point = find(name, country, state);
      expect([name, point && findTimezone(point.lat, point.lng)]).toEqual([name, zone]);
    }
  });
});
