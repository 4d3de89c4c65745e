import { expect, test } from 'vitest';
import { enrichPlace, findPlace } from '#shared/places/find-place.ts';
import { findTimezone } from '#shared/places/zones/country-zones.ts';

test('returns name, country, coordinates and zone of a UN/LOCODE', () => {
  expect(findPlace('nl rtm')).toEqual({
    unlocode: 'NLRTM',
    name: 'Rotterdam',
    country: 'NL',
    lat: 51.95,
    lng: 4.14,
    timezone: 'Europe/Amsterdam',
  });
  expect(findPlace('NGLKK')).toMatchObject({ name: 'Lekki', timezone: 'Africa/Lagos' });
});

test('derives a missing or misspelled zone from the coordinates', () => {
  expect(findPlace('MXVER')?.timezone).toBe('America/Mexico_City');
  expect(findPlace('ARRIC')?.timezone).toMatch(/^America\/Argentina\/./);
  expect(findTimezone(91, 0)).toBeNull();
});

test('returns null for an unknown or malformed code but keeps the country of the code', () => {
  expect(findPlace('NLZZZ')).toBeNull();
  expect(findPlace('toolong')).toBeNull();
  const bare = {
    name: 'Here',
    unlocode: 'NLZZZ',
    iata: null,
    country: null,
    lat: null,
    lng: null,
    timezone: null,
    facility: null,
  };
  expect(enrichPlace(bare)).toMatchObject({ name: 'Here', country: 'NL', timezone: 'Europe/Amsterdam' });
  expect(enrichPlace({ ...bare, unlocode: 'USZZZ' })).toMatchObject({ country: 'US', timezone: null });
  expect(enrichPlace({ ...bare, unlocode: null, lat: 53.55, lng: 9.99 }).timezone).toBe('Europe/Berlin');
});
