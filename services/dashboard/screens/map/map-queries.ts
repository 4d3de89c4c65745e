import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WireMap } from '#shared/contract/lists/map-wire.ts';
import type { WireSummary } from '#shared/contract/record/shipment-schemas.ts';
import type { MapGrouping } from '#shared/domain/lists/map-places.ts';
import { type MapView, writeMapView } from '#shared/route-map/world-projection.ts';
import { call } from '../../api/call.ts';
import { countsQuery } from '../shipments/list/use-list-counts.ts';
import { type Filter, viewFilter } from '../shipments/list-plan.ts';
import { type ListSearch, readListSearch, writeListSearch } from '../shipments/list-search.ts';

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

/**
 * The groups of a view; the numbers are those of the account. What was drawn stays until the answer for another view
 * arrives, and if there is none.
 */
export function useGroups(by: MapGrouping, asked: MapView | null) {
  const view = asked === null ? '' : writeMapView(asked);
  const { data, error, refetch } = useQuery({
    queryKey: ['map', by, view],
    queryFn: async ({ signal }) => ({ ...(await call('getMap', { query: { by, view } }, { signal })), by, view }),
    refetchInterval: refetchMs,
    enabled: asked !== null,
  });
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  return { data: data ?? (last?.by === by ? last : undefined), error, refetch };
}

/**
 * A circle of an answer: its key or that of a place in it. `content` is the same in every view that has the same circle,
 * so that its shipments are not asked for again while the map moves. Null: the circle is outside of the view.
 */
export type ChosenCircle = { key: string; view: string; as_of: string; content: string | null };

export function chosenCircle(key: string, { groups, view, as_of }: WireMap & { view: string }): ChosenCircle {
  const own = groups.find((group) => group.key === key);
  const content = own === undefined ? null : [view.split(',')[0], own.count, own.positions].join(' ');
  return { key, view, as_of, content };
}

/** The first shipments of a circle, by ETA. Null: those without a place. */
export function circleShipmentsQuery(by: MapGrouping, circle: ChosenCircle | null) {
  const { key = null, view = '', as_of = '', content = null } = circle ?? {};
  return queryOptions({
    queryKey: ['map', by, 'shipments', key, as_of, content ?? view],
    queryFn: ({ signal }) =>
      call('listMapShipments', { body: { by, circle: key === null ? null : { key, view, as_of } } }, { signal }),
    placeholderData: (former, query) => (query?.queryKey[3] === key && query?.queryKey[1] === by ? former : undefined),
    // A circle's shipments are fetched again with each response of the map.
    refetchInterval: circle === null ? refetchMs : false,
  });
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
