import { countryOf } from '../events/event-place.ts';
import type { Shipment } from '../record/shipment.ts';
import { vesselKey } from '../words/vessel-key.ts';
import { type Searchable, searchText } from './search-text.ts';
import { cjkPairs } from './short-words.ts';

/** Longer terms are cut, because an index entry has a limit. Vessels and statuses in filters are shorter. */
const maxTermLength = 200;

/** The terms of the word index, as they are stored and searched for. `vessel` takes what `vesselKey` returns. */
export const searchTerm = {
  tag: (tag: string) => `tag ${tag}`,
  origin: (code: string) => `origin ${code}`,
  destination: (code: string) => `destination ${code}`,
  metadata: (key: string, value: string) => `meta ${cut(`${key}=${value}`)}`,
  vessel: (key: string) => `vessel ${cut(key)}`,
  container: (status: string) => `container ${status}`,
  pair: (pair: string) => `pair ${pair}`,
};

type Indexed = Searchable &
  Pick<Shipment, 'tags' | 'metadata'> & { journey: Pick<Shipment['journey'], 'containerStatusCounts'> };

/** Returns the searchable words of a shipment: the text that `q` searches, and the terms of the word index. */
export function searchWords(shipment: Indexed): { searchText: string; searchTerms: string[] } {
  const text = searchText(shipment);
  return { searchText: text, searchTerms: searchTerms(shipment, text) };
}

function searchTerms({ tags, metadata, journey }: Indexed, text: string): string[] {
  const { origin, destination, legs, containerStatusCounts } = journey;
  const vessels = legs.flatMap(({ vehicle }) => [vesselKey(vehicle?.name ?? ''), vehicle?.imo ?? '']);
  const codesOf = (place: typeof origin) => place && [place.unlocode, place.iata, countryOf(place)];
  const terms = [
    ...tags.map(searchTerm.tag),
    ...present(codesOf(origin)).map(searchTerm.origin),
    ...present(codesOf(destination)).map(searchTerm.destination),
    ...Object.entries(metadata).map(([key, value]) => searchTerm.metadata(key, value)),
    ...present(vessels).map(searchTerm.vessel),
    ...Object.keys(containerStatusCounts).map(searchTerm.container),
    ...cjkPairs(text).map(searchTerm.pair),
  ];
  return [...new Set(terms)];
}

function present(texts: readonly (string | null)[] | null): string[] {
  return (texts ?? []).filter((text): text is string => text !== null && text !== '');
}

/** By code points. */
function cut(text: string): string {
  return text.length <= maxTermLength ? text : Array.from(text).slice(0, maxTermLength).join('');
}
