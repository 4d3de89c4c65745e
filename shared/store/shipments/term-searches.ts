import type { ShipmentFilter } from '#shared/domain/shipments/filter.ts';
import { soughtVessel } from '#shared/domain/shipments/vessel-key.ts';

type TermFilter = Pick<ShipmentFilter, 'metadata' | 'vessel' | 'containerStatus'>;

/** Terms are cut to this many characters in the index (infra/migrations/0008_search_terms.sql). */
const maxTermLength = 200;

/**
 * Lists of terms of the word index, most selective first: every shipment that the filter matches has one of each list.
 */
export function termSearches({ metadata, vessel, containerStatus }: TermFilter): string[][] {
  return [
    ...Object.entries(metadata ?? {}).map(([key, values]) => values.map((value) => `meta ${cut(`${key}=${value}`)}`)),
    ...(vessel === undefined ? [] : [vessel.map((text) => `vessel ${cut(soughtVessel(text))}`)]),
    ...(containerStatus === undefined ? [] : [containerStatus.map((status) => `container ${status}`)]),
  ];
}

/** By code points, as Postgres counts. */
function cut(text: string): string {
  return Array.from(text).slice(0, maxTermLength).join('');
}
