import type { Place } from '#shared/domain/events/event.ts';
import type { SentPlace } from '#shared/domain/events-in/event-row.ts';
import { foldName } from '#shared/domain/fold-text.ts';
import { findAirport } from '#shared/places/airports.ts';
import { countryCode } from '#shared/places/country-codes.ts';
import { enrichPlace, findPlace, type Locality, normalizeUnlocode, nowhere } from '#shared/places/find-place.ts';
import { findNamedPlaces } from '#shared/places/named-places.ts';
import { countriesOfState } from '#shared/places/states.ts';

/** A place as a message states it. `state`: of the USA or a province of Canada. */
export type WrittenPlace = {
  unlocode?: string | null;
  iata?: string | null;
  name?: string | null;
  state?: string | null;
  postalCode?: string | null;
  country?: string | null;
  facility?: string | null;
  lat?: number | null;
  lng?: number | null;
};

/** `timezone`: of its state or country, where the place itself has no code. `note`: what of it was not used. */
export type EdiPlace = { place: SentPlace | null; timezone: string | null; note: string | null };

/** As in the rows of the JSON API. */
const maxName = 200;

/**
 * A place for a row. A UN/LOCODE that is no place known here is left out where the message names the place too, and
 * refused otherwise; so are an unknown airport and an unknown country.
 */
export function readEdiPlace(written: WrittenPlace): EdiPlace | { reason: string } {
  const { unlocode = null, iata = null, state = null, postalCode = null } = written;
  // Lines of a file that is wrapped to a width end in blanks.
  const [name = null, facility = null] = [written.name, written.facility].map(
    (text) => text?.replace(/\s+/g, ' ').trim() || null,
  );
  if (Math.max(name?.length ?? 0, facility?.length ?? 0) > maxName)
    return { reason: `The name of the place has more than ${maxName} characters.` };
  const writtenCountry = written.country ?? null;
  const stated = countryCode(writtenCountry);
  if (writtenCountry !== null && stated === null) return { reason: `${writtenCountry} is not a country code.` };
  const base = { facility, lat: written.lat ?? null, lng: written.lng ?? null };
  if (iata !== null) {
    const airport = findAirport(iata);
    if (airport === null) return { reason: `${iata} is not an airport known to Landfall.` };
    const place = { ...base, unlocode: null, iata: airport.iata, name: null, country: airport.country };
    return { place, timezone: null, note: null };
  }
  const known = findPlace(unlocode);
  if (known !== null) {
    const place = { ...base, unlocode: known.unlocode, iata: null, name, country: known.country };
    return { place, timezone: null, note: null };
  }
  const ofCode = countryCode(normalizeUnlocode(unlocode)?.slice(0, 2) ?? null);
  if (unlocode !== null && (name === null || ofCode === null))
    return { reason: `${unlocode} is not a UN/LOCODE known to Landfall.` };
  if (name === null && facility === null && base.lat === null) return { place: null, timezone: null, note: null };
  const [ofState, ...others] = state === null ? [] : countriesOfState(state);
  const country = stated ?? ofCode ?? (others.length === 0 ? (ofState ?? null) : null);
  const shown = name === null ? null : state === null || name.includes(',') ? name : `${name}, ${state}`;
  return {
    place: { ...base, unlocode: null, iata: null, name: shown, country },
    timezone: zoneOfWritten({ name, country, lat: base.lat, lng: base.lng }, { state, postalCode }),
    note: unlocode === null ? null : `${unlocode} is not a UN/LOCODE known to Landfall. The place is kept by its name.`,
  };
}

type Located = Pick<Place, 'name' | 'country' | 'lat' | 'lng'>;

function zoneOfWritten(place: Located, address: Locality): string | null {
  const { timezone, country } = enrichPlace({ ...nowhere, ...place }, address);
  return timezone ?? zoneOfNamed(place.name, country);
}

/** The zone that all places of this name in the country share. A state may have two zones, a city has one. */
function zoneOfNamed(name: string | null, country: string | null): string | null {
  const codes = name === null || country === null ? [] : (findNamedPlaces(foldName(name))?.codes ?? []);
  const zones = new Set<string>();
  for (const code of codes) {
    const isUnlocode = code.length === 5;
    const place = enrichPlace({ ...nowhere, unlocode: isUnlocode ? code : null, iata: isUnlocode ? null : code });
    if (place.country === country && place.timezone !== null) zones.add(place.timezone);
  }
  const [zone, ...others] = zones;
  return zone !== undefined && others.length === 0 ? zone : null;
}
