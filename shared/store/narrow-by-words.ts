import { readPlaceSearch, readTextSearch, type ShipmentFilter } from '#shared/domain/filter.ts';
import type { FilterScope } from './shipment-filter.ts';
import type { Tx } from './with-account.ts';

/** What the index of words is asked: one of the terms is there, or one of the patterns (of `like`) fits. */
type WordSearch = { terms: string[]; patterns: string[] };

/** With more shipments than this, walking the list in its order meets matches soon enough. */
const mostCandidates = 2000;

/**
 * The scope with the few shipments that its words (q, tag, origin, destination) leave, by the index of words: a superset, for the filter itself
 * is still applied. Words that fit many shipments leave all of them. A scope that was narrowed already stays as it is.
 */
export async function narrowByWords(tx: Tx, scope: FilterScope): Promise<FilterScope> {
  if (scope.candidates !== undefined) return scope;
  for (const search of wordSearches(scope.filter)) {
    const { rows } = await tx.query<{ ids: string[] }>({
      name: 'find-by-words',
      text: 'select array(select landfall.find_by_words($1, $2::text[], $3::text[], $4)) as ids',
      values: [scope.test, search.terms, search.patterns, mostCandidates + 1],
    });
    const ids = rows[0]?.ids ?? [];
    if (ids.length <= mostCandidates) return { ...scope, candidates: ids };
  }
  return { ...scope, candidates: null };
}

/** What the index can answer, most telling first. */
function wordSearches(filter: ShipmentFilter): WordSearch[] {
  const searches = [
    filter.q === undefined ? null : textSearch(filter.q),
    filter.tag === undefined ? null : { terms: filter.tag.map((tag) => `tag ${tag}`), patterns: [] },
    filter.origin === undefined ? null : placeSearch('origin', filter.origin),
    filter.destination === undefined ? null : placeSearch('destination', filter.destination),
  ];
  return searches.filter((search) => search !== null);
}

/** Every match has the longest word or the phrase without separators in it. */
function textSearch(q: string): WordSearch | null {
  const { compact, words } = readTextSearch(q);
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  return hasTrigrams(longest) && hasTrigrams(compact) ? { terms: [], patterns: [patternOf(longest), patternOf(compact)] } : null;
}

/** The search text holds the names of both ends, so a name's part is looked for there. */
function placeSearch(end: 'origin' | 'destination', places: readonly string[]): WordSearch | null {
  const search: WordSearch = { terms: [], patterns: [] };
  for (const place of places) {
    const sought = readPlaceSearch(place);
    search.terms.push(`${end} ${'country' in sought ? sought.country : sought.code}`);
    if ('country' in sought) continue;
    if (!hasTrigrams(sought.namePart)) return null;
    search.patterns.push(patternOf(sought.namePart));
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
