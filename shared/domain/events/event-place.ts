import type { Place, StatedRoute, TrackingEvent } from './event.ts';
import { compareText } from './event-order.ts';

/** The most complete description of a place among events that all happened there. Null: none has a location. */
export function bestPlace(events: readonly Pick<TrackingEvent, 'location' | 'dedupeKey'>[]): Place | null {
  let best: { location: Place; known: number; dedupeKey: string } | null = null;
  for (const { location, dedupeKey } of events) {
    if (location === null) continue;
    const known = Object.values(location).filter((part) => part !== null).length;
    if (best === null || known > best.known || (known === best.known && compareText(dedupeKey, best.dedupeKey) < 0)) {
      best = { location, known, dedupeKey };
    }
  }
  return best?.location ?? null;
}

/** True when two statements about the ends of a journey are equal. */
export function isSameRoute(left: StatedRoute | undefined, right: StatedRoute | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return isSamePlace(left.origin, right.origin) && isSamePlace(left.destination, right.destination);
}

function isSamePlace(left: Place | null, right: Place | null): boolean {
  if (left === null || right === null) return left === right;
  return (Object.keys(left) as (keyof Place)[]).every((name) => left[name] === right[name]);
}

/** ISO 3166-1 alpha-2. A place without a country has the country of its UN/LOCODE. */
export function countryOf(place: Pick<Place, 'country' | 'unlocode'>): string | null {
  return place.country ?? place.unlocode?.slice(0, 2) ?? null;
}
