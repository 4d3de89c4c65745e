import type { Place } from '#shared/domain/events/event.ts';
import { countryCode } from '#shared/places/country-codes.ts';
import { enrichPlace, findPlace } from '#shared/places/find-place.ts';
import { portOfTerminal } from '#shared/places/terminal-codes.ts';
import { child, decimal, type LenientObject, plainText, readObject, text } from '../lenient-object.ts';
import type { DcsaDialect } from './dialect.ts';

/**
 * The place of an event: its own location, or else that of its transport call. Null when it names neither a port, nor a
 * name, nor a facility.
 */
export function dcsaPlace(fields: LenientObject, call: LenientObject | null, dialect: DcsaDialect): Place | null {
  const own = fields.get('eventlocation') ?? call?.get('location') ?? fields.get('location');
  const location = readObject(own, dialect.keyAliases);
  const address = child(location, 'address');
  const name =
    typeof own === 'string'
      ? plainText(own)
      : (text(location, 'locationName') ?? text(address, 'city') ?? text(location, 'address'));
  const facilityCode = text(location, 'facilityCode') ?? text(call, 'facilityCode');
  const provider = text(location, 'facilityCodeListProvider') ?? text(call, 'facilityCodeListProvider');
  const stated = text(location, 'UNLocationCode') ?? text(call, 'UNLocationCode');
  const unlocode = stated ?? unlocodeIn(own, facilityCode) ?? terminalPort(facilityCode, provider, name);
  const facility = facilityCode ?? text(call, 'otherFacility') ?? text(address, 'name');
  if (unlocode === null && name === null && facility === null) return null;
  const country = countryCode(text(address, 'country'));
  const lat = decimal(location, 'latitude');
  const lng = decimal(location, 'longitude');
  const isPoint =
    lat !== null && lng !== null && Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0);
  return enrichPlace({
    name,
    unlocode,
    iata: null,
    country,
    lat: isPoint ? lat : null,
    lng: isPoint ? lng : null,
    timezone: null,
    facility,
  });
}

/**
 * The UN/LOCODE of a place: the line's bare code, or the port that a BIC facility code (UN/LOCODE and four letters)
 * starts with.
 */
function unlocodeIn(own: unknown, facilityCode: string | null): string | null {
  const written = typeof own === 'string' ? own : facilityCode?.length === 9 ? facilityCode.slice(0, 5) : null;
  return findPlace(written)?.unlocode ?? null;
}

/** The port of a terminal that only its code of the SMDG list names. */
function terminalPort(facilityCode: string | null, provider: string | null, name: string | null): string | null {
  const isListed = facilityCode !== null && name === null && provider?.toUpperCase() === 'SMDG';
  return isListed ? portOfTerminal(facilityCode) : null;
}

/** The type of the facility where an event happened, as the standard's code. */
export function facilityTypeOf(fields: LenientObject, call: LenientObject | null): string | null {
  return (
    (
      text(fields, 'facilityTypeCode') ??
      text(child(fields, 'eventLocation'), 'facilityTypeCode', 'facilityType') ??
      text(call, 'facilityTypeCode')
    )?.toUpperCase() ?? null
  );
}
