import { portCodes } from '#shared/domain/events/port-areas.ts';
import { foldName, foldText } from '#shared/domain/fold-text.ts';
import type { ResolvedFilter, ShipmentFilter } from '#shared/domain/lists/filter.ts';
import type { PlaceSearch } from '#shared/domain/lists/text-search.ts';
import { countryCodeOf } from '#shared/domain/words/country-names.ts';
import { findAirport } from './airports.ts';
import { countryCode } from './country-codes.ts';
import { nativeCountryCode } from './country-names-abroad.ts';
import { findPlace, normalizeUnlocode } from './find-place.ts';
import { type CodedNames, findNamedPlaces, isDistinctive } from './named-places.ts';
import { nameGroups } from './place-names.ts';
import { countriesOfState } from './states.ts';

const noPlace: PlaceSearch = { countries: [], codes: [], names: [], parts: [], within: null };

/** Words that people write around a name: `Port of Rotterdam`, `Hafen Hamburg`, `Heathrow Airport`. */
const around =
  /^(the )?(sea)?(port|puerto|porto|hafen|haven|harbou?r|airport|flughafen)( (of|de|di|do|da|von|van))? | (sea)?(port|harbou?r|hafen|haven|terminal|(international )?airport|flughafen)$/g;

/** The filter with what its places and the places in `q` mean. */
export function resolveFilter({ origin, destination, ...filter }: ShipmentFilter): ResolvedFilter {
  const otherTexts = filter.q === undefined ? {} : otherTextsOf(filter.q);
  return {
    ...filter,
    ...(origin === undefined ? {} : { origin: readPlaces(origin) }),
    ...(destination === undefined ? {} : { destination: readPlaces(destination) }),
    ...(Object.keys(otherTexts).length === 0 ? {} : { otherTexts }),
  };
}

/** A list in a query is split at its commas: a name and its own country or state in a row are one place. */
function readPlaces(texts: readonly string[]): PlaceSearch[] {
  const places: string[] = [];
  for (const text of texts) {
    const joined = `${places.at(-1) ?? ''}, ${text}`;
    if (isKnownWithin(joined)) places.splice(-1, 1, joined);
    else places.push(text);
  }
  return places.map(readPlace);
}

function isKnownWithin(text: string): boolean {
  const { codes, within } = readPlace(text);
  // A name of five letters might be an unknown code: China, India.
  return within !== null && codes.some((code) => findPlace(code) !== null || findAirport(code) !== null);
}

/**
 * Reads a place as people write it: `CN SHA`, `FRA`, `NL`, `Göteborg`, `Rotterdam, NL`, `Port of Rotterdam`, `NYC`,
 * `Shanghai (CNSHA)`, `Deutschland`. An unknown text is part of a name.
 */
export function readPlace(written: string): PlaceSearch {
  const trimmed = written.trim();
  const text = /^([A-Za-z]\.){2,4}$/.test(trimmed) ? trimmed.replaceAll('.', '') : trimmed;
  const shown = /\(([A-Z]{2} ?[A-Z2-9]{3}|[A-Z]{2,3})\)$/.exec(text)?.[1];
  if (shown !== undefined) return readCode(shown) ?? readName(text, null);
  const code = readCode(text);
  if (code !== null) return code;
  const country = countryOf(text);
  if (country !== null) return { ...noPlace, countries: [country], names: [foldName(text)].filter(isDistinctive) };
  const [head = '', ...rest] = text.split(',').map((part) => part.trim());
  const qualifier = rest.at(-1) ?? '';
  const within = qualifierCountries(qualifier);
  if (within === null || head === '') return readName(text, null);
  const isState = countryOf(qualifier) === null;
  const search = readName(head, within);
  // Names of parcels' places contain the state: `Portland, OR`.
  return isState ? { ...search, parts: [...search.parts, foldName(`${head} ${rest[0]}`)] } : search;
}

/** A code. Two letters are a country, and sometimes also the short form of a city (LA). Null: none that is known. */
function readCode(text: string): PlaceSearch | null {
  const upper = text.toUpperCase();
  if (/^[A-Z]{2}$/.test(upper)) {
    const country = upper === 'UK' ? 'GB' : upper;
    return { ...noPlace, countries: [country], codes: codesOfGroups(text) };
  }
  const unlocode = normalizeUnlocode(upper);
  if (unlocode !== null && findPlace(unlocode) !== null)
    return { ...noPlace, codes: [...portCodes(unlocode), ...(findNamedPlaces(foldName(text))?.codes ?? [])] };
  // With a blank, nothing but a code is written so.
  if (/^[A-Z]{2} [A-Z2-9]{3}$/.test(text) && countryCode(text.slice(0, 2)) !== null && unlocode !== null)
    return { ...noPlace, codes: [unlocode], parts: [foldName(text)] };
  if (!/^[A-Z]{3}$/.test(upper)) return null;
  const airport = findAirport(upper);
  const codes = [...(airport === null ? [] : [airport.iata, airport.unlocode]), ...codesOfGroups(text)];
  if (codes.length > 0) return { ...noPlace, codes };
  const country = countryCode(upper);
  return country === null ? null : { ...noPlace, countries: [country] };
}

function codesOfGroups(text: string): string[] {
  return nameGroups(foldName(text)).flatMap(({ codes }) => codes);
}

function readName(text: string, within: readonly string[] | null): PlaceSearch {
  const name = foldName(text);
  const bare = bareName(name);
  for (const form of spellingsOf(name, bare)) {
    const known = findNamedPlaces(form);
    if (known === null) continue;
    if (within === null) return { ...noPlace, ...known };
    // CA is Canada and California: where the name is known decides.
    const countries = within.filter((country) => known.codes.some((code) => countryOfCode(code) === country));
    const codes = known.codes.filter((code) => countries.includes(countryOfCode(code) ?? ''));
    if (codes.length > 0) return { ...noPlace, codes, names: known.names, within: countries };
  }
  const unknown = bare === '' ? name : bare;
  const code = /^[A-Za-z]{2}[A-Za-z\d]{3}$|^[A-Za-z]{3}$/.test(text) ? [text.toUpperCase()] : [];
  return { ...noPlace, codes: code, parts: unknown === '' ? [] : spellingsOf(unknown), within };
}

function bareName(name: string): string {
  return name.replace(around, '').trim();
}

function countryOfCode(code: string): string | null {
  return code.length === 5 ? code.slice(0, 2) : (findAirport(code)?.country ?? null);
}

/** With `ä` written as `ae` too, and the other way round. */
function spellingsOf(...names: string[]): string[] {
  const all = names.filter((name) => name !== '');
  return [...new Set([...all, ...all.map((name) => name.replace(/([ao])e|ue|aa/g, collapsed))])];
}

function collapsed(letters: string): string {
  return letters.charAt(0);
}

function qualifierCountries(qualifier: string): readonly string[] | null {
  const country = /^[A-Za-z]{2}$/.test(qualifier) ? countryCode(qualifier) : countryOf(qualifier);
  const countries = [...(country === null ? [] : [country]), ...countriesOfState(qualifier)];
  return countries.length === 0 ? null : [...new Set(countries)];
}

function countryOf(text: string): string | null {
  const short = /^[A-Za-z]{2,3}$/.test(text) ? countryCode(text) : null;
  return short ?? countryCodeOf(text) ?? nativeCountryCode(text);
}

/** For `q`: other texts by which the records name the places that the phrase and its words name. */
function otherTextsOf(q: string): Record<string, string[]> {
  const phrase = foldText(q.trim());
  const others: Record<string, string[]> = {};
  for (const text of new Set([phrase, ...phrase.split(/\s+/)])) {
    const name = foldName(text);
    const known: CodedNames | null = isDistinctive(name) ? knownUnder(name) : null;
    if (known === null) continue;
    const codes = known.codes.filter((code) => code.length === 5).map((code) => code.toLowerCase());
    others[text] = [...new Set([...codes, ...known.names])].filter((other) => other !== text);
  }
  return others;
}

function knownUnder(name: string): CodedNames | null {
  for (const form of spellingsOf(name, bareName(name))) {
    const known = findNamedPlaces(form);
    if (known !== null) return known;
  }
  return null;
}
