import { foldName } from '#shared/domain/fold-text.ts';
import { editDistance } from '#shared/domain/nearest.ts';
import { findAirport } from './airports.ts';
import { kmBetween, type Point } from './find-city.ts';
import { findPlace } from './find-place.ts';
import { readPlace } from './read-place.ts';

/** A place to choose from. */
export type PlaceChoice = { unlocode: string | null; iata: string | null; name: string | null };

/** A name this much unlike the sought one, as a share of its length, is another name. */
const maxUnlikeness = 0.4;

/**
 * Lists the places that `text` most likely means, at most `max`: similar names first, then by distance if `text` is
 * a known place, otherwise in the given order.
 */
export function nearestPlaces<Choice extends PlaceChoice>(
  text: string,
  choices: readonly Choice[],
  max: number,
): Choice[] {
  // Untrusted text is cut: the cost grows with the product of both lengths.
  const sought = foldName(text.split(',')[0] ?? '').slice(0, 40);
  const from = readPlace(text)
    .codes.map(pointOf)
    .find((point) => point !== null);
  const ranked = choices.map((choice, order) => {
    const names = [choice.name, choice.unlocode, choice.iata].map((name) => foldName(name ?? '').slice(0, 40));
    const unlikeness = Math.min(...names.map((name) => unlikenessOf(sought, name)));
    const to = pointOf(choice.unlocode ?? choice.iata ?? '');
    const rank = unlikeness <= maxUnlikeness ? unlikeness : 1;
    return { choice, order, rank, km: from && to ? kmBetween(from, to) : Number.MAX_VALUE };
  });
  ranked.sort((left, right) => left.rank - right.rank || left.km - right.km || left.order - right.order);
  return ranked.slice(0, max).map(({ choice }) => choice);
}

function unlikenessOf(sought: string, name: string): number {
  if (name === '' || sought === '') return 1;
  const parts = [name, ...name.split(' ')];
  return Math.min(...parts.map((part) => editDistance(sought, part) / Math.max(sought.length, part.length)));
}

function pointOf(code: string): Point | null {
  const place = findAirport(code) ?? findPlace(code);
  return place?.lat == null || place.lng === null ? null : { lat: place.lat, lng: place.lng };
}
