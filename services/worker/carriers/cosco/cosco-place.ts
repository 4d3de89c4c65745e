import type { Place } from '#shared/domain/events/event.ts';
import { foldName } from '#shared/domain/fold-text.ts';
import { countryCodeOf } from '#shared/domain/words/country-names.ts';
import { checkedPorts } from '#shared/places/checked-ports.ts';
import { enrichPlace, findPlace, type KnownPlace } from '#shared/places/find-place.ts';
import { findNamedPlaces } from '#shared/places/named-places.ts';

/**
 * A place as COSCO writes it: `Pasir Panjang Terminal,Singapore,,Singapore` (facility, city, state, country),
 * `Qingdao ,Shandong ,China`, `Long Beach,United States`, or a city alone. COSCO sends no codes: the UN/LOCODE is set
 * where only one known place of the country has this name.
 */
export function coscoPlace(written: string | null, hints: readonly (Place | null)[] = []): Place | null {
  const parts = (written ?? '').split(',').map((part) => part.trim());
  const last = parts.at(-1) ?? '';
  if (parts.every((part) => part === '')) return null;
  const country = countryCodeOf(last);
  const city = (country === null || parts.length === 1 ? parts[0] : parts.at(parts.length > 2 ? -3 : -2)) || null;
  const isWhole = country === null && parts.length > 1;
  const facility = parts.length > 3 && !isWhole ? parts.slice(0, -3).join(', ') || null : null;
  const name = isWhole ? parts.filter((part) => part !== '').join(', ') : (city ?? last);
  return located({ name, facility, country: country ?? hintedCountry(name, hints) });
}

/** A port with its terminal: `Long Beach - Pacific Container Terminal`. */
export function coscoTerminal(written: string | null, hints: readonly (Place | null)[]): Place | null {
  const [city = '', ...terminal] = (written ?? '').split(' - ');
  const place = coscoPlace(city, hints);
  return place === null ? null : { ...place, facility: terminal.join(' - ').trim() || null };
}

function located({
  name,
  facility,
  country,
}: {
  name: string;
  facility: string | null;
  country: string | null;
}): Place {
  const known = knownPlaces(name, country);
  const [only] = known.length === 1 ? known : known.filter(({ unlocode }) => checkedPorts.has(unlocode));
  const isOne = known.length === 1 || known.filter(({ unlocode }) => checkedPorts.has(unlocode)).length === 1;
  const zones = new Set(known.map(({ timezone }) => timezone));
  return enrichPlace({
    name,
    unlocode: isOne ? (only?.unlocode ?? null) : null,
    iata: null,
    country,
    lat: null,
    lng: null,
    timezone: zones.size === 1 ? ([...zones][0] ?? null) : null,
    facility,
  });
}

/** The known places of this name. Without a country, only where all are in one. */
function knownPlaces(name: string, country: string | null): KnownPlace[] {
  const codes = findNamedPlaces(foldName(name))?.codes ?? [];
  const places = codes.map((code) => findPlace(code)).filter((place) => place !== null);
  const inCountry = country === null ? places : places.filter((place) => place.country === country);
  const isOneCountry = new Set(inCountry.map((place) => place.country)).size === 1;
  return isOneCountry ? [...new Map(inCountry.map((place) => [place.unlocode, place])).values()] : [];
}

/** The country of a place of the same name that the response states in full. */
function hintedCountry(name: string, hints: readonly (Place | null)[]): string | null {
  const folded = foldName(name);
  const same = hints.find((hint) => hint?.country && foldName(hint.name ?? '') === folded);
  return same?.country ?? null;
}
