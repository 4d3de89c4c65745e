import tzLookup from '@photostructure/tz-lookup';
import { isTimezone } from '#shared/domain/instant-of.ts';
import { isZoneOfCountry, onlyZoneOf, presentName } from './country-zones.ts';

/** Where a place's zone comes from. */
export type ZoneSource = 'stated' | 'coordinates' | 'list' | 'country';

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
};

/**
 * The zone of a place, by the best evidence: what the carrier stated, the coordinates' zone, the list's zone, the
 * country's only zone. Coordinates and lists contain mistakes, so their zone counts only if it is one of the country's.
 * Null: unknown.
 */
export function findPlaceZone({ stated, country, lat, lng, listed }: Evidence): PlaceZone | null {
  if (stated !== null && isTimezone(stated)) return { timezone: stated, source: 'stated' };
  const fits = (timezone: string | null): timezone is string =>
    timezone !== null && (country === null ? isTimezone(timezone) : isZoneOfCountry(timezone, country));
  const located = zoneNear(lat, lng, fits);
  if (located !== null) return { timezone: located, source: 'coordinates' };
  if (fits(listed)) return { timezone: presentName(listed), source: 'list' };
  const only = country === null ? null : onlyZoneOf(country);
  return only === null ? null : { timezone: only, source: 'country' };
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

/** The IANA zone of a point (latitude and longitude in degrees). Null for invalid coordinates and the open sea. */
export function findTimezone(lat: number | null, lng: number | null): string | null {
  if (lat === null || lng === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) return null;
  const timezone = tzLookup(lat, lng);
  if (timezone === 'Asia/Urumqi') return onlyZoneOf('CN');
  return isTimezone(timezone) && !timezone.startsWith('Etc/') ? timezone : null;
}
