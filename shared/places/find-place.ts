import type { Place } from '#shared/domain/events/event.ts';
import { findAirport, findAirportByUnlocode } from './airports.ts';
import { checkedPorts } from './checked-ports.ts';
import { type ListedPort, readListedPorts } from './listed-ports.ts';
import { findPlaceZone } from './place-zone.ts';

/** A place of which nothing is known. */
export const nowhere: Place = {
  name: null,
  unlocode: null,
  iata: null,
  country: null,
  lat: null,
  lng: null,
  timezone: null,
  facility: null,
};

/** A UN/LOCODE's place. `country` is ISO 3166-1 alpha-2, `timezone` IANA. */
export type KnownPlace = {
  unlocode: string;
  name: string;
  country: string;
  lat: number | null;
  lng: number | null;
  timezone: string | null;
};

const unlocodePattern = /^[A-Z]{2}[A-Z2-9]{3}$/;
const found = new Map<string, KnownPlace>();
let listed: Map<string, ListedPort> | null = null;

/** The port list. Reading it takes about 50 ms, so it is read on first use. */
export function listedPorts(): ReadonlyMap<string, ListedPort> {
  listed ??= readListedPorts();
  return listed;
}

/**
 * The place with this UN/LOCODE, in any case and with or without the space. Null when it is malformed or not in the
 * lists.
 */
export function findPlace(unlocode: string | null): KnownPlace | null {
  const code = normalizeUnlocode(unlocode);
  if (code === null) return null;
  const known = found.get(code);
  if (known !== undefined) return known;
  const place = describe(code);
  if (place) found.set(code, place);
  return place;
}

/** Normalizes a UN/LOCODE (`NLRTM`). Null when it is not one. */
export function normalizeUnlocode(text: string | null): string | null {
  const code = text?.replace(/\s+/g, '').toUpperCase() ?? '';
  return unlocodePattern.test(code) ? code : null;
}

/**
 * Adds missing fields by airport or UN/LOCODE: name, country, coordinates and zone. The carrier's own name,
 * coordinates and zone always stay; the country is the code's.
 */
export function enrichPlace(place: Place): Place {
  const airport = findAirport(place.iata);
  const unlocode = normalizeUnlocode(place.unlocode) ?? airport?.unlocode ?? null;
  const known = airport === null ? findPlace(unlocode) : { ...airport, timezone: null };
  const hasPoint = place.lat !== null && place.lng !== null;
  const lat = hasPoint ? place.lat : (known?.lat ?? null);
  const lng = hasPoint ? place.lng : (known?.lng ?? null);
  const country = known?.country ?? unlocode?.slice(0, 2) ?? place.country;
  const zone = findPlaceZone({ stated: place.timezone, country, lat, lng, listed: known?.timezone ?? null });
  return {
    ...place,
    unlocode,
    iata: airport?.iata ?? place.iata,
    name: place.name ?? known?.name ?? null,
    country,
    lat,
    lng,
    timezone: zone?.timezone ?? null,
  };
}

function describe(code: string): KnownPlace | null {
  const row = listedPorts().get(code);
  const place = checkedPorts.get(code) ?? row ?? findAirportByUnlocode(code);
  if (!place) return null;
  const { name, lat, lng } = place;
  const country = code.slice(0, 2);
  const zone = findPlaceZone({ stated: null, country, lat, lng, listed: row?.timezone ?? null });
  return { unlocode: code, name, country, lat, lng, timezone: zone?.timezone ?? null };
}
