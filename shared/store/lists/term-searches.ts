import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { searchTerm } from '#shared/domain/lists/search-terms.ts';
import { soughtVessel } from '#shared/domain/words/vessel-key.ts';

type TermFilter = Pick<ShipmentFilter, 'metadata' | 'vessel' | 'containerStatus'>;

/**
 * Lists of terms of the word index, most selective first: every shipment that the filter matches has one of each list.
 */
export function termSearches({ metadata, vessel, containerStatus }: TermFilter): string[][] {
  return [
    ...Object.entries(metadata ?? {}).map(([key, values]) => values.map((value) => searchTerm.metadata(key, value))),
    ...(vessel === undefined ? [] : [vessel.map((text) => searchTerm.vessel(soughtVessel(text)))]),
    ...(containerStatus === undefined ? [] : [containerStatus.map(searchTerm.container)]),
  ];
}
