import { readPlaceSearch, readTextSearch, type ShipmentFilter } from '#shared/domain/shipments/filter.ts';
import type { Tx } from '../with-account.ts';
import type { FilterScope } from './shipment-filter.ts';

/** What the index of words is asked: one of the terms is there, all of one list of patterns (of `like`) fit, or any of the other. */
type WordSearch = { terms: string[]; allPatterns: string[]; anyPatterns: string[] };

/** A shipment that words may mean, with the moment by which lists are ordered (ms since 1970). */
export type Candidate = { id: string; createdAtMs: number };

/** With more shipments than this, walking the list in its order meets matches soon enough. */
export const mostCandidates = 2000;

/**
 * The scope with the few shipments, at most `most`, that its words (q, tag, origin, destination) leave, by the index of words: a superset, for
 * the filter itself is still applied. Words that fit more leave all of them. A scope that was narrowed already stays as it is.
 */
export async function narrowByWords(tx: Tx, scope: FilterScope, most: number = mostCandidates): Promise<FilterScope> {
  if (scope.candidates !== undefined) return scope;
  for (const search of wordSearches(scope.filter)) {
    const { rows } = await tx.query<{ id: string; created_at_ms: number }>({
      name: 'find-by-words',
      text: `
        select w.shipment_id as id, round(extract(epoch from w.created_at) * 1000)::float8 as created_at_ms
        from landfall.find_by_words($1, $2::text[], $3::text[], $4::text[], $5) as w`,
      values: [scope.test, search.terms, search.allPatterns, search.anyPatterns, most + 1],
    });
    if (rows.length <= most)
      return { ...scope, candidates: rows.map((row) => ({ id: row.id, createdAtMs: row.created_at_ms })) };
  }
  return { ...scope, candidates: null };
}

/** What the index can answer, most telling first. */
function wordSearches(filter: ShipmentFilter): WordSearch[] {
  return [
    ...(filter.q === undefined ? [] : textSearches(filter.q)),
    filter.tag === undefined
      ? null
      : { terms: filter.tag.map((tag) => `tag ${tag}`), allPatterns: [], anyPatterns: [] },
    filter.origin === undefined ? null : placeSearch('origin', filter.origin),
    filter.destination === undefined ? null : placeSearch('destination', filter.destination),
  ].filter((search) => search !== null);
}

/**
 * Every match has a part of each word in it (with them a phrase has, too), or of the phrase without its separators. What has a digit is
 * looked for alone at first: it leaves few, and each other word costs the index a walk through all that have it.
 */
function textSearches(q: string): WordSearch[] {
  const { compact, words } = readTextSearch(q);
  const parts = words.map(tellingPart).filter(hasTrigrams);
  const whole = tellingPart(compact);
  if (parts.length === 0 || !hasTrigrams(whole)) return [];
  const anyPatterns = words.length === 1 ? [] : [patternOf(whole)];
  const withDigits = parts.filter((part) => /\d/.test(part));
  return [...(withDigits.length > 0 && withDigits.length < parts.length ? [withDigits] : []), parts].map((sought) => ({
    terms: [],
    allPatterns: sought.map(patternOf),
    anyPatterns,
  }));
}

/** The index takes the longer the more trigrams it must find, and the ends of numbers are what tells them apart. */
const longestNumberPart = 7;

/** The part of a word that the fewest texts have: the longest run of letters and digits, one with digits first. */
function tellingPart(word: string): string {
  const runs = (word.match(/[\p{L}\p{N}]+/gu) ?? []).toSorted((left, right) => right.length - left.length);
  const number = runs.find((run) => /\d/.test(run) && hasTrigrams(run));
  return number === undefined ? (runs[0] ?? '') : number.slice(-longestNumberPart);
}

/** The search text holds the names of both ends, so a name's part is looked for there. */
function placeSearch(end: 'origin' | 'destination', places: readonly string[]): WordSearch | null {
  const search: WordSearch = { terms: [], allPatterns: [], anyPatterns: [] };
  for (const place of places) {
    const sought = readPlaceSearch(place);
    search.terms.push(`${end} ${'country' in sought ? sought.country : sought.code}`);
    if ('country' in sought) continue;
    if (!hasTrigrams(sought.namePart)) return null;
    search.anyPatterns.push(patternOf(sought.namePart));
  }
  return search;
}

/** Without three letters or digits in a row the index would have to be read from end to end. */
function hasTrigrams(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}

function patternOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
