import { useQuery } from '@tanstack/react-query';
import { listShipments } from '../../api/landfall-client.ts';
import { answerOf } from '../../api/request.ts';
import { countsQuery } from '../shipments/counts-query.ts';
import { type Filter, viewFilter } from '../shipments/list-plan.ts';
import { type ListSearch, readListSearch, writeListSearch } from '../shipments/list-search.ts';
import { type MapShipment, mapFields, renewMs } from './use-current.ts';

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
      const { data } = await answerOf(
        listShipments({ ...filter, sort: search.sort, limit: mostRows, fields: mapFields }, { signal }),
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
