import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findAirport } from '#shared/places/airports.ts';
import { countryCode } from '#shared/places/country-codes.ts';
import { enrichPlace, findPlace, findTimezone } from '#shared/places/find-place.ts';

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

  it('keeps what the carrier sent for an unknown code', () => {
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
    const source = readFileSync(new URL('../../../shared/places/airports.ts', import.meta.url), 'utf8');
    const codes = [...source.matchAll(/^([A-Z]{3}) [A-Z]{2} /gm)].map(([, code]) => code ?? '');
    expect(codes.length).toBeGreaterThan(80);
    expect(codes).toEqual([...new Set(codes)].sort());
    for (const code of codes) {
      const airport = findAirport(code);
      expect(airport, code).toMatchObject({ iata: code, unlocode: expect.stringMatching(/^[A-Z]{5}$/) });
      expect(findTimezone(airport?.lat ?? null, airport?.lng ?? null), code).not.toBeNull();
      // The port list places Hyderabad in the middle of its former state.
      const port = code === 'HYD' ? null : findPlace(airport?.unlocode ?? null);
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
