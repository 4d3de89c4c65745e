import { countryCodeOf } from '#shared/domain/words/country-names.ts';
import { countryCode } from './country-codes.ts';
import { nativeCountryCode } from './country-names-abroad.ts';
import { countriesOfState } from './states.ts';
import { hasRegionZones, isRegion } from './zones/region-zones.ts';

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
  const { city, country } = withoutCountry(written, stated.country);
  const postal = country === 'US' || country === 'CA' ? postalPattern.exec(city) : null;
  const bare = postal === null ? city : city.slice(0, postal.index);
  const { name, state, inCountry } = withoutState(bare, stated.state, country);
  const postalCode = stated.postalCode ?? postal?.[1] ?? null;
  return { city: name, state: stated.state ?? state, country: country ?? inCountry, postalCode };
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

function withoutState(city: string, stated: string | null, country: string | null): Split {
  const [, head, last] = /^(.+?),\s*([^,]+)$/.exec(city) ?? /^(.+?)\s+([A-Z]{2,3})$/.exec(city) ?? [];
  const none: Split = { name: city, state: null, inCountry: null };
  if (head === undefined || last === undefined) return none;
  if (stated !== null) return stated.toUpperCase() === last.toUpperCase() ? { ...none, name: head } : none;
  if (country !== null)
    return hasRegionZones(country) && isRegion(country, last) ? { ...none, name: head, state: stateCode(last) } : none;
  const [only, ...others] = city.includes(',') && last.length === 2 ? countriesOfState(last) : [];
  // `Milan, IT` names its country; `Plano, TX` a state of one.
  if (only === undefined || others.length > 0 || countryCode(last) !== null) return none;
  return { name: head, state: stateCode(last), inCountry: only };
}

function stateCode(written: string): string {
  return written.length <= 3 ? written.toUpperCase() : written;
}
