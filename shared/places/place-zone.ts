import { isTimezone } from '#shared/domain/instant-of.ts';
import { setBounded } from '#shared/domain/set-bounded.ts';
import { findCity } from './find-city.ts';
import { isApartZone, zoneOfCity } from './zones/city-zones.ts';
import { findTimezone, isZoneOfCountry, onlyZoneOf, presentName } from './zones/country-zones.ts';
import { hasPostalZones, zoneOfPostalCode } from './zones/postal-zones.ts';
import { regionCode, zoneOfRegion } from './zones/region-zones.ts';

/** Source of a place's zone. */
export type ZoneSource = 'stated' | 'coordinates' | 'list' | 'city' | 'postal_code' | 'state' | 'country';

export type PlaceZone = { timezone: string; source: ZoneSource };

type Evidence = {
  /** The zone that the carrier stated. */
  stated: string | null;
  /** ISO 3166-1 alpha-2; for a UN/LOCODE, its first two letters. */
  country: string | null;
  lat: number | null;
  lng: number | null;
  /** The zone of a list of places. */
  listed: string | null;
} & Partial<Address>;

/** `state`: code or name of the state, province or region. */
type Address = { city: string | null; state: string | null; postalCode: string | null };

/**
 * The zone of a place, by the best evidence: what the carrier stated, the coordinates' zone, the list's zone, that of the
 * city, of the postal code, the zone in which most people of the state live, the country's only zone. Coordinates and
 * lists contain mistakes, so their zone counts only if it is one of the country's. Null: unknown.
 */
export function findPlaceZone({ stated, country, lat, lng, listed, ...address }: Evidence): PlaceZone | null {
  if (stated !== null && isTimezone(stated)) return { timezone: stated, source: 'stated' };
  const fits = (timezone: string | null): timezone is string =>
    timezone !== null && (country === null ? isTimezone(timezone) : isZoneOfCountry(timezone, country));
  const located = zoneNear(lat, lng, fits);
  if (located !== null) return { timezone: located, source: 'coordinates' };
  if (fits(listed)) return { timezone: presentName(listed), source: 'list' };
  return country === null ? null : zoneOfAddress(country, { ...unstated, ...address });
}

const unstated: Address = { city: null, state: null, postalCode: null };

/** Some times of all cities that one instance meets. */
const maxAddresses = 5000;
const addresses = new Map<string, PlaceZone | null>();

/** The zone of an address in a country. Null: unknown. */
export function zoneOfAddress(country: string, { city, state, postalCode }: Address): PlaceZone | null {
  // One zone for every address of the country is the answer of each other step too.
  const only = onlyZoneOf(country);
  if (only !== null && !hasPostalZones(country)) return { timezone: only, source: 'country' };
  const key = [country, city, state, postalCode].join('|');
  const known = addresses.get(key);
  if (known !== undefined) return known;
  const value = findAddressZone(country, { city, state, postalCode }) ?? inOnlyZone(only);
  return setBounded(addresses, { key, value, max: maxAddresses });
}

function findAddressZone(country: string, { city, postalCode, ...stated }: Address): PlaceZone | null {
  const state = stated.state === null ? null : (regionCode(country, stated.state) ?? stated.state);
  const point = city === null ? null : findCity({ city, state, country });
  const ofCity =
    (city === null ? null : zoneOfCity(country, city, state)) ??
    (point === null ? null : zoneWithin(findTimezone(point.lat, point.lng), country, state));
  if (ofCity !== null) return { timezone: ofCity, source: 'city' };
  const ofCode = postalCode === null ? null : zoneOfPostalCode(country, postalCode);
  if (ofCode !== null) return { timezone: ofCode, source: 'postal_code' };
  const ofState = state === null ? null : zoneOfRegion(country, state);
  return ofState === null ? null : { timezone: ofState, source: 'state' };
}

/** A city's point is rough: beside a border, its zone counts only if it is one of the state's. */
function zoneWithin(zone: string | null, country: string, state: string | null): string | null {
  const main = state === null ? null : zoneOfRegion(country, state);
  if (zone === null || !isZoneOfCountry(zone, country)) return null;
  return state === null || main === null || main === zone || isApartZone(country, state, zone) ? zone : null;
}

function inOnlyZone(timezone: string | null): PlaceZone | null {
  return timezone === null ? null : { timezone, source: 'country' };
}

/** The zone map is coarse: beside a border, a point may lie in the neighbor's zone by up to about this many degrees. */
const borderDegrees = 0.2;

const steps = [0, -borderDegrees, borderDegrees];

/** The zone of the point, otherwise of the first point around it whose zone fits. */
function zoneNear(
  lat: number | null,
  lng: number | null,
  fits: (timezone: string | null) => timezone is string,
): string | null {
  if (lat === null || lng === null) return null;
  for (const north of steps) {
    for (const east of steps) {
      const timezone = findTimezone(lat + north, lng + east);
      if (fits(timezone)) return timezone;
    }
  }
  return null;
}
