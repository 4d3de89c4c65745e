import { describe, expect, it } from 'vitest';
import { airports, findAirport } from '#shared/places/airports.ts';
import { countryCode } from '#shared/places/country-codes.ts';
import { enrichPlace, findPlace } from '#shared/places/find-place.ts';
import { findTimezone } from '#shared/places/zones/country-zones.ts';

const nothing = {
  name: null,
  unlocode: null,
  iata: null,
  country: null,
  lat: null,
  lng: null,
  timezone: null,
  facility: null,
};

describe('airports', () => {
  it('completes name, UN/LOCODE, country, coordinates and zone from an IATA code', () => {
    expect(enrichPlace({ ...nothing, iata: 'fra' })).toEqual({
      name: 'Frankfurt am Main',
      unlocode: 'DEFRA',
      iata: 'FRA',
      country: 'DE',
      lat: 50.03,
      lng: 8.57,
      timezone: 'Europe/Berlin',
      facility: null,
    });
  });

  it('keeps the carrier’s own fields for an unknown code', () => {
    expect(enrichPlace({ ...nothing, iata: 'QQX', name: 'Somewhere' })).toMatchObject({
      iata: 'QQX',
      unlocode: null,
      name: 'Somewhere',
      lat: null,
    });
    expect(findAirport(null)).toBeNull();
  });

  it.each([
    ['JFK', 'America/New_York'],
    ['ORD', 'America/Chicago'],
    ['PVG', 'Asia/Shanghai'],
    ['BOM', 'Asia/Kolkata'],
    ['GRU', 'America/Sao_Paulo'],
    ['SYD', 'Australia/Sydney'],
    ['DOH', 'Asia/Qatar'],
    ['ANC', 'America/Anchorage'],
    ['ADD', 'Africa/Addis_Ababa'],
  ])('%s has the timezone %s', (iata, zone) => {
    expect(enrichPlace({ ...nothing, iata }).timezone).toBe(zone);
  });

  it('has complete rows near the port with the same UN/LOCODE', () => {
    const codes = airports.map(({ iata }) => iata);
    expect(codes.length).toBeGreaterThan(500);
    expect(codes).toEqual([...new Set(codes)].sort());
    for (const code of codes) {
      const airport = findAirport(code);
      expect(airport, code).toMatchObject({ iata: code, unlocode: expect.stringMatching(/^[A-Z]{5}$/) });
      expect(findTimezone(airport?.lat ?? null, airport?.lng ?? null), code).not.toBeNull();
      const port = findPlace(airport?.unlocode ?? null);
      if (port?.lat != null && port.lng != null && airport) {
        expect(Math.abs(port.lat - airport.lat), code).toBeLessThan(1);
        expect(Math.abs(port.lng - airport.lng), code).toBeLessThan(1);
      }
    }
  });
});

it.each([
  ['USA', 'US'],
  ['usa', 'US'],
  ['DEU', 'DE'],
  ['MEX', 'MX'],
  ['de', 'DE'],
  ['ZZZ', null],
  ['ZZ', null],
  ['', null],
])('maps the country %s to %s', (written, code) => {
  expect(countryCode(written)).toBe(code);
});
