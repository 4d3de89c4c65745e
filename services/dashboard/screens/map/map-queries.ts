import { queryOptions, useQuery } from '@tanstack/react-query';
import type { WireSummary } from '#shared/contract/shipments/shipment-schemas.ts';
import { call } from '../../api/call.ts';
import { countsQuery } from '../shipments/list/use-list-counts.ts';
import { type Filter, openStatuses, viewFilter } from '../shipments/list-plan.ts';
import { type ListSearch, readListSearch, writeListSearch } from '../shipments/list-search.ts';

const pageSize = 100;
/** More shipments would only be clusters: the map shows the newest, and the number of all. */
const maxPages = 6;
export const refetchMs = 30_000;

/** The fields that the map and the lists beside it show. */
export const mapFields = [
  'shipment_id',
  'transport_mode',
  'carrier',
  'identifiers',
  'reference',
  'status',
  'origin',
  'destination',
  'latest_event',
  'arrival',
  'eta',
  'delay_hours',
  'overdue_hours',
  'late',
] satisfies (keyof WireSummary)[];

export type MapShipment = Pick<WireSummary, (typeof mapFields)[number]>;

export type Current = { shipments: MapShipment[]; total: number };

/** The most recently updated current shipments, up to the limit of the map, and the number of all. */
export const currentQuery = queryOptions({
  queryKey: ['map'],
  queryFn: async ({ signal }): Promise<Current> => {
    // With sequential awaits, a rejection of the second promise would be unhandled while the first is pending.
    const [shipments, { total }] = await Promise.all([
      readNewest(signal),
      call('countShipments', { query: { status: [...openStatuses] } }, { signal }),
    ]);
    return { shipments, total: Math.max(total, shipments.length) };
  },
  refetchInterval: refetchMs,
});

async function readNewest(signal: AbortSignal): Promise<MapShipment[]> {
  const shipments: MapShipment[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const list: Awaited<ReturnType<typeof readPage>> = await readPage(cursor, signal);
    shipments.push(...(list.data as MapShipment[]));
    cursor = list.page.next_cursor;
    if (cursor === null) break;
  }
  return shipments;
}

function readPage(cursor: string | null, signal: AbortSignal) {
  return call(
    'listShipments',
    {
      query: {
        status: [...openStatuses],
        sort: '-last_event_at',
        limit: pageSize,
        fields: mapFields,
        ...(cursor === null ? {} : { cursor }),
      },
    },
    { signal },
  );
}

/** Further shipments are in the list. */
const maxRows = 100;

export type ListSummary = {
  /** The URL of the full list. */
  search: Record<string, string>;
  /** The number of shipments; `undefined` while unknown. */
  total: number | undefined;
  isBound: boolean;
  /** The first shipments, in the order of the list. */
  shipments: readonly MapShipment[] | undefined;
  error: Error | null;
  retry: () => void;
};

/** The count and the first rows of a list, with the same filter as the list. */
export function useListSummary(wanted: Partial<ListSearch>, today: string): ListSummary {
  const search = readListSearch(writeListSearch({ ...readListSearch({}), ...wanted }));
  const filter: Filter = viewFilter(search, today);
  const counts = useQuery({ ...countsQuery(filter), refetchInterval: refetchMs });
  const rows = useQuery({
    queryKey: ['map', 'rows', filter, search.sort],
    queryFn: async ({ signal }) => {
      const { data } = await call(
        'listShipments',
        { query: { ...filter, sort: search.sort, limit: maxRows, fields: mapFields } },
        { signal },
      );
      return data as MapShipment[];
    },
    refetchInterval: refetchMs,
  });
  return {
    search: writeListSearch(search),
    total: counts.data?.total,
    isBound: counts.data?.total_is_lower_bound === true,
    shipments: rows.data,
    error: rows.data === undefined ? rows.error : null,
    retry: () => rows.refetch(),
  };
}
