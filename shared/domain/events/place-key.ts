import type { Place } from './event.ts';
import { mainPortCode, namedPortCode } from './port-areas.ts';

/**
 * The key of a place: its UN/LOCODE (the main one of a port that has several, or is only named), otherwise IATA,
 * otherwise the name without case, accents and punctuation. Null: unknown.
 */
export function placeKey(place: Place | null): string | null {
  if (place === null) return null;
  const { unlocode, iata, name } = place;
  // A city's airports have codes of their own.
  if (unlocode) return iata ? unlocode.toUpperCase() : mainPortCode(unlocode);
  return iata?.toUpperCase() || namedPortCode(place) || plainName(name ?? '') || null;
}

function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
