import type { Place } from '#shared/domain/events/event.ts';
import { setBounded } from '#shared/domain/set-bounded.ts';
import { findAirport, findAirportByUnlocode } from './airports.ts';
import { checkedPorts } from './checked-ports.ts';
import { listedPorts } from './listed-ports.ts';
import { findPlaceZone, type ZoneSource, zoneOfAddress } from './place-zone.ts';
import { type Address, splitAddress } from './split-address.ts';
import { hasPostalZones } from './zones/postal-zones.ts';

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

/** Parts of an address that distinguish places of one name. */
export type Locality = { state: string | null; postalCode: string | null };

const unstated: Locality = { state: null, postalCode: null };
const nowhereElse: Address = { city: null, country: null, ...unstated };

const unlocodePattern = /^[A-Z]{2}[A-Z2-9]{3}$/;
const found = new Map<string, KnownPlace>();
/** Some times of all names that one instance meets. */
const maxSplits = 5000;
const splits = new Map<string, Address>();

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
 * coordinates and zone always stay; the country is the code's. `address`: what is stated of it beside its name.
 */
export function enrichPlace(place: Place, address: Locality = unstated): Place {
  const airport = findAirport(place.iata);
  const unlocode = normalizeUnlocode(place.unlocode) ?? airport?.unlocode ?? null;
  const known = airport === null ? findPlace(unlocode) : { ...airport, timezone: null };
  const hasPoint = place.lat !== null && place.lng !== null;
  const lat = hasPoint ? place.lat : (known?.lat ?? null);
  const lng = hasPoint ? place.lng : (known?.lng ?? null);
  const country = known?.country ?? unlocode?.slice(0, 2) ?? place.country;
  // A known place has its zone from its coordinates or from the list.
  const named = known === null ? addressOf(place.name, country, address) : nowhereElse;
  const zone = findPlaceZone({
    ...named,
    stated: place.timezone,
    country: country ?? named.country,
    lat,
    lng,
    listed: known?.timezone ?? null,
  });
  return {
    ...place,
    unlocode,
    iata: airport?.iata ?? place.iata,
    name: place.name ?? known?.name ?? null,
    country: country ?? named.country,
    lat,
    lng,
    timezone: zone?.timezone ?? null,
  };
}

/** Names of places often contain their state or country. */
function addressOf(name: string | null, country: string | null, { state, postalCode }: Locality): Address {
  const key = [name, state, country, postalCode].join('|');
  const split = splits.get(key);
  if (split !== undefined) return split;
  return setBounded(splits, { key, value: splitAddress({ city: name, state, country, postalCode }), max: maxSplits });
}

/** Returns the source of the zone of a place without a code. Null: it has no zone. */
export function zoneSourceOf(place: Place): ZoneSource | null {
  if (place.timezone === null) return null;
  if (place.unlocode !== null || place.iata !== null || place.lat !== null) return 'list';
  const { city, state, country } = addressOf(place.name, place.country, unstated);
  const found = country === null ? null : zoneOfAddress(country, { city, state, postalCode: null });
  if (found?.timezone === place.timezone) return found.source;
  return country !== null && hasPostalZones(country) ? 'postal_code' : 'stated';
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
