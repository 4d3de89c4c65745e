import type { Place, StatedRoute } from '#shared/domain/events/event.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { countryCode } from '#shared/places/country-codes.ts';
import { enrichPlace } from '#shared/places/find-place.ts';
import { child, decimal, type LenientObject, text } from '../lenient-object.ts';

/**
 * The name is city and state, because American city names repeat. The facility's own name is separate; without one,
 * `terminal` stands for it.
 */
export function placeOf(location: LenientObject | null, terminal: string | null = null): Place | null {
  const city = text(location, 'city');
  const state = text(location, 'state');
  const own = text(location, 'name');
  const name = city === null ? own : state === null ? city : `${city}, ${state}`;
  const lat = decimal(location, 'latitude');
  const lng = decimal(location, 'longitude');
  const isPoint =
    lat !== null && lng !== null && Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0);
  if (name === null && !isPoint) return null;
  return enrichPlace({
    name,
    unlocode: null,
    iata: null,
    country: countryCode(text(location, 'country')),
    lat: isPoint ? lat : null,
    lng: isPoint ? lng : null,
    timezone: null,
    facility: (city === null ? null : own) ?? text(location, 'locationId') ?? terminal,
  });
}

/** Reads the start and the end of the shipment, as one of its events states them. */
export function routeOf(shipment: LenientObject | null): StatedRoute {
  return { origin: placeOf(child(shipment, 'origin')), destination: placeOf(child(shipment, 'destination')) };
}

export function reportedAt(fields: LenientObject): string | null {
  const written = text(fields, 'reportedAt');
  return written === null ? null : (carrierTime(written, { policy: 'offset', place: null })?.at ?? null);
}
