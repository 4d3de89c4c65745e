import { queryOptions, useQuery } from '@tanstack/react-query';
import type { WireSummary } from '#shared/contract/wire-schemas.ts';
import { call } from '../../api/call.ts';
import { countsQuery } from '../shipments/list/use-list-counts.ts';
import { type Filter, openStatuses, viewFilter } from '../shipments/list-plan.ts';
import { type ListSearch, readListSearch, writeListSearch } from '../shipments/list-search.ts';

const pageSize = 100;
/** A map of more than this is one of its clusters anyway: the newest are shown, and how many are not. */
const mostPages = 6;
export const renewMs = 30_000;

/** What the map and the lists beside it show of a shipment. */
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
  'delay_hours',
] satisfies (keyof WireSummary)[];

export type MapShipment = Pick<WireSummary, (typeof mapFields)[number]>;

export type Current = { shipments: MapShipment[]; total: number };

/** The current shipments whose last news is newest, as many as a map bears, and how many there are in all. */
export const currentQuery = queryOptions({
  queryKey: ['map'],
  queryFn: async ({ signal }): Promise<Current> => {
    // Together: when one of the two ends early, nobody is left to take the other's error.
    const [shipments, { total }] = await Promise.all([
      readNewest(signal),
      call('countShipments', { query: { status: [...openStatuses] } }, { signal }),
    ]);
    return { shipments, total: Math.max(total, shipments.length) };
  },
  refetchInterval: renewMs,
});

async function readNewest(signal: AbortSignal): Promise<MapShipment[]> {
  const shipments: MapShipment[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const answer: Awaited<ReturnType<typeof readPage>> = await readPage(cursor, signal);
    shipments.push(...(answer.data as MapShipment[]));
    cursor = answer.page.next_cursor;
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

/** More than this is read in the list itself. */
const mostRows = 100;

export type Answer = {
  /** The address of the list that has all of them. */
  search: Record<string, string>;
  /** How many there are; `undefined` while that is not known. */
  total: number | undefined;
  isBound: boolean;
  /** The first of them, in the order of the list. */
  shipments: readonly MapShipment[] | undefined;
  error: Error | null;
  retry: () => void;
};

/** What a list of this address has: its number and its first rows, asked as the list asks. */
export function useAnswer(asked: Partial<ListSearch>, today: string): Answer {
  const search = readListSearch(writeListSearch({ ...readListSearch({}), ...asked }));
  const filter: Filter = viewFilter(search, today);
  const counts = useQuery({ ...countsQuery(filter), refetchInterval: renewMs });
  const rows = useQuery({
    queryKey: ['map', 'rows', filter, search.sort],
    queryFn: async ({ signal }) => {
      const { data } = await call(
        'listShipments',
        { query: { ...filter, sort: search.sort, limit: mostRows, fields: mapFields } },
        { signal },
      );
      return data as MapShipment[];
    },
    refetchInterval: renewMs,
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
