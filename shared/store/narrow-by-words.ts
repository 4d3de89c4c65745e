import { readPlaceSearch, readTextSearch, type ShipmentFilter } from '#shared/domain/filter.ts';
import type { FilterScope } from './shipment-filter.ts';
import type { Tx } from './with-account.ts';

/** What the index of words is asked: one of the terms is there, all of one list of patterns (of `like`) fit, or any of the other. */
type WordSearch = { terms: string[]; allPatterns: string[]; anyPatterns: string[] };

/** A shipment that words may mean, with the moment by which lists are ordered (ms since 1970). */
export type Candidate = { id: string; createdAtMs: number };

/** With more shipments than this, walking the list in its order meets matches soon enough. */
const mostCandidates = 2000;

/**
 * The scope with the few shipments that its words (q, tag, origin, destination) leave, by the index of words: a superset, for the filter itself
 * is still applied. Words that fit many shipments leave all of them. A scope that was narrowed already stays as it is.
 */
export async function narrowByWords(tx: Tx, scope: FilterScope): Promise<FilterScope> {
  if (scope.candidates !== undefined) return scope;
  for (const search of wordSearches(scope.filter)) {
    const { rows } = await tx.query<{ id: string; created_at_ms: number }>({
      name: 'find-by-words',
      text: `
        select w.shipment_id as id, round(extract(epoch from w.created_at) * 1000)::float8 as created_at_ms
        from landfall.find_by_words($1, $2::text[], $3::text[], $4::text[], $5) as w`,
      values: [scope.test, search.terms, search.allPatterns, search.anyPatterns, mostCandidates + 1],
    });
    if (rows.length <= mostCandidates) return { ...scope, candidates: rows.map((row) => ({ id: row.id, createdAtMs: row.created_at_ms })) };
  }
  return { ...scope, candidates: null };
}

/** What the index can answer, most telling first. */
function wordSearches(filter: ShipmentFilter): WordSearch[] {
  const searches = [
    filter.q === undefined ? null : textSearch(filter.q),
    filter.tag === undefined ? null : { terms: filter.tag.map((tag) => `tag ${tag}`), allPatterns: [], anyPatterns: [] },
    filter.origin === undefined ? null : placeSearch('origin', filter.origin),
    filter.destination === undefined ? null : placeSearch('destination', filter.destination),
  ];
  return searches.filter((search) => search !== null);
}

/** Every match has all of the words in it (with them a phrase has, too), or the phrase without its separators. */
function textSearch(q: string): WordSearch | null {
  const { compact, words } = readTextSearch(q);
  const telling = words.filter(hasTrigrams);
  if (telling.length === 0 || !hasTrigrams(compact)) return null;
  const isOneWord = words.length === 1 && words[0] === compact;
  return { terms: [], allPatterns: telling.map(patternOf), anyPatterns: isOneWord ? [] : [patternOf(compact)] };
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
