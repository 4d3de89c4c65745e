import type { ResolvedFilter, ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { searchTerm } from '#shared/domain/lists/search-terms.ts';
import { cjkPairs } from '#shared/domain/lists/short-words.ts';
import { type PlaceSearch, readTextSearch } from '#shared/domain/lists/text-search.ts';
import { soughtVessel } from '#shared/domain/words/vessel-key.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import type { Candidate, FilterScope } from './shipment-filter.ts';

/**
 * A query of the word index: one of the terms matches, all patterns of one list (for `like`) match, or any pattern of
 * the other.
 */
type WordSearch = { terms: string[]; allPatterns: string[]; anyPatterns: string[] };

/** With more matches than this, scanning the list in its order finds enough of them soon. */
export const maxCandidates = 2000;

/**
 * Narrows the scope to the shipments that its words (q, tag, origin, destination) match in the word index, if there are
 * at most `max`. The result is a superset; the filter itself still applies. With more matches, all shipments stay in
 * scope. A scope that is already narrowed stays unchanged.
 */
export async function narrowByWords(tx: Tx, scope: FilterScope, max: number = maxCandidates): Promise<FilterScope> {
  if (scope.candidates !== undefined) return scope;
  for (const search of wordSearches(scope.filter)) {
    const candidates = await readRows<Candidate>(tx, {
      name: 'find-by-words',
      text: `
        select w.shipment_id as id, round(extract(epoch from w.created_at) * 1000)::float8 as created_at_ms
        from landfall.find_by_words($1, $2::text[], $3::text[], $4::text[], $5) as w`,
      values: [scope.test, search.terms, search.allPatterns, search.anyPatterns, max + 1],
    });
    if (candidates.length <= max) return { ...scope, candidates };
  }
  return { ...scope, candidates: null };
}

/** The conditions that the index supports, most selective first. */
function wordSearches(filter: ResolvedFilter): WordSearch[] {
  return [
    ...(filter.q === undefined ? [] : textSearches(filter)),
    pairSearch(filter),
    ...termSearches(filter).map((terms) => ({ terms, allPatterns: [], anyPatterns: [] })),
    filter.tag === undefined ? null : { terms: filter.tag.map(searchTerm.tag), allPatterns: [], anyPatterns: [] },
    filter.origin === undefined ? null : placeSearch('origin', filter.origin),
    filter.destination === undefined ? null : placeSearch('destination', filter.destination),
  ].filter((search) => search !== null);
}

/**
 * Every match contains a part of each word (a phrase match does, too), of the phrase without its separators, or of
 * another text for the same place. Words with a digit are searched first: they have few matches, and each further word
 * costs a scan of all its matches. A word that may stand in another text cannot be required.
 */
function textSearches(filter: ResolvedFilter): WordSearch[] {
  const { phrase, compact, words } = readTextSearch(filter);
  const required = words.filter(({ others }) => others.length === 0);
  const [first] = words;
  const alternatives = required.length > 0 || first === undefined ? [] : [first.text, ...first.others];
  const anyOf = [...(words.length === 1 ? [] : [compact]), ...phrase.others, ...alternatives].map(selectivePart);
  const parts = required.map(({ text }) => selectivePart(text)).filter(hasTrigrams);
  const isNarrow = parts.length > 0 || required.length === 0;
  if (!isNarrow || words.length === 0 || !hasTrigrams(selectivePart(compact)) || !anyOf.every(hasTrigrams)) return [];
  const withDigits = parts.filter((part) => /\d/.test(part));
  return [...(withDigits.length > 0 && withDigits.length < parts.length ? [withDigits] : []), parts].map((sought) => ({
    terms: [],
    allPatterns: sought.map(patternOf),
    anyPatterns: [...new Set(anyOf)].map(patternOf),
  }));
}

/**
 * Two characters of a word in a script with short words. Every match contains them, or another text for the same place.
 */
function pairSearch(filter: ResolvedFilter): WordSearch | null {
  const { phrase, words } = readTextSearch(filter);
  const [word] = words
    .filter(({ text }) => cjkPairs(text).length > 0)
    .toSorted((left, right) => left.others.length - right.others.length);
  if (word === undefined) return null;
  const ways = [word.text, ...word.others, ...phrase.others].map((text) => ({ pair: cjkPairs(text)[0], text }));
  const parts = ways.filter(({ pair }) => pair === undefined).map(({ text }) => selectivePart(text));
  if (!parts.every(hasTrigrams)) return null;
  return {
    terms: ways.flatMap(({ pair }) => (pair === undefined ? [] : [searchTerm.pair(pair)])),
    allPatterns: [],
    anyPatterns: [...new Set(parts)].map(patternOf),
  };
}

/** A lookup takes longer with each trigram, and numbers differ mainly at their ends. */
const maxNumberPartLength = 7;

/** The most selective part of a word: the longest run of letters and digits, preferring runs with digits. */
function selectivePart(word: string): string {
  const runs = (word.match(/[\p{L}\p{N}]+/gu) ?? []).toSorted((left, right) => right.length - left.length);
  const number = runs.find((run) => /\d/.test(run) && hasTrigrams(run));
  return number === undefined ? (runs[0] ?? '') : number.slice(-maxNumberPartLength);
}

/** The search text contains the names of origin and destination, so a part of a name is searched there. */
function placeSearch(end: 'origin' | 'destination', places: readonly PlaceSearch[]): WordSearch | null {
  const sought = places.flatMap(({ names, parts }) => [...names, ...parts]).map(selectivePart);
  if (!sought.every(hasTrigrams)) return null;
  return {
    terms: places.flatMap(({ countries, codes }) => [...countries, ...codes]).map(searchTerm[end]),
    allPatterns: [],
    anyPatterns: [...new Set(sought)].map(patternOf),
  };
}

/** Without three consecutive letters or digits, the whole index would have to be read. */
function hasTrigrams(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}

function patternOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

type TermFilter = Pick<ShipmentFilter, 'metadata' | 'vessel' | 'containerStatus'>;

/**
 * Lists of terms of the word index, most selective first: every shipment that the filter matches has one of each list.
 */
function termSearches({ metadata, vessel, containerStatus }: TermFilter): string[][] {
  return [
    ...Object.entries(metadata ?? {}).map(([key, values]) => values.map((value) => searchTerm.metadata(key, value))),
    ...(vessel === undefined ? [] : [vessel.map((text) => searchTerm.vessel(soughtVessel(text)))]),
    ...(containerStatus === undefined ? [] : [containerStatus.map(searchTerm.container)]),
  ];
}
