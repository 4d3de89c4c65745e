import type { Place } from '../events/event.ts';
import { countryOf } from '../events/event-place.ts';
import { mainPortCode } from '../events/port-areas.ts';

/** In place of an end that no event and no statement of the carrier names. */
export const unknownEnd = 'unknown';

type End = Pick<Place, 'unlocode' | 'iata' | 'country'> | null;
type Ends = { origin: End; destination: End };

/** The code of an end of a voyage: its UN/LOCODE, otherwise its IATA code. */
export function laneEnd(place: End): string {
  if (place?.unlocode == null) return place?.iata ?? unknownEnd;
  return place.iata === null ? mainPortCode(place.unlocode) : place.unlocode;
}

/** The country of an end of a voyage, ISO 3166-1 alpha-2. */
export function laneCountry(place: End): string {
  return (place && countryOf(place)) ?? unknownEnd;
}

/** The lane between two codes or two countries: `CNSHA-NLRTM`, `CN-NL`. An unknown end is `unknown`. */
export function laneKey(origin: string, destination: string): string {
  return `${origin}-${destination}`;
}

/** The lane of a voyage by codes. */
export function laneOf({ origin, destination }: Ends): string {
  return laneKey(laneEnd(origin), laneEnd(destination));
}

/** The lane of a voyage by countries. */
export function countryLaneOf({ origin, destination }: Ends): string {
  return laneKey(laneCountry(origin), laneCountry(destination));
}

const shapes = { codes: /^([A-Z]{3}|[A-Z]{2}[A-Z0-9]{3})$/, countries: /^[A-Z]{2}$/ };

/** A lane as clients write it, in the form of `laneKey`. Null: it is none. */
export function readLane(text: string, by: keyof typeof shapes): string | null {
  const ends = text.split('-').map((end) => end.trim());
  const read = ends.map((end) => (end.toLowerCase() === unknownEnd ? unknownEnd : end.toUpperCase()));
  const isWritten = read.length === 2 && read.every((end) => end === unknownEnd || shapes[by].test(end));
  return isWritten ? read.join('-') : null;
}
