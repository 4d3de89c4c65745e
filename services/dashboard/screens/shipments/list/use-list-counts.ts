import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isSearchable } from '#shared/domain/lists/short-words.ts';
import { call } from '../../../api/call.ts';
import { baseOf, type Filter, openStatuses, viewFilter } from '../list-plan.ts';
import { isFiltered, type ListSearch } from '../list-search.ts';
import type { Overview } from '../overview.ts';

export type ListCounts = {
  /** Counts by status for the current filters, without the status filter. */
  statuses: Overview['statuses'] | undefined;
  /** The number of shipments in the list; null while unknown. */
  total: number | null;
  /** The counts are a lower bound. */
  isBound: boolean;
};

/** The counts of a list: those of the overview without filters, else counted for its filters. */
export function useListCounts(
  search: ListSearch,
  { overview, today }: { overview: Overview | undefined; today: string },
): ListCounts {
  const isPlain = !isFiltered({ ...search, status: [] });
  const filter = searchFilter(search);
  const stages = useQuery({
    ...countsQuery(withoutStatus(filter)),
    enabled: !isPlain,
    placeholderData: keepPreviousData,
  });
  const late = useQuery({
    ...countsQuery({ ...withoutStatus(filter), status: [...openStatuses], late: true }),
    enabled: !isPlain,
    placeholderData: keepPreviousData,
  });
  const isWhole = isPlain && search.view === 'current' && search.status.length === 0;
  const list = useQuery({ ...countsQuery({ ...filter, ...viewOf(search, today) }), enabled: !isWhole });
  return {
    statuses: isPlain
      ? overview?.statuses
      : stages.data &&
        statusesOf(
          stages.data.by_status as Record<string, number>,
          late.data?.by_status as Record<string, number> | undefined,
        ),
    total: isWhole ? ((overview && overview.needs_attention + overview.rest) ?? null) : (list.data?.total ?? null),
    isBound: !isPlain && stages.data?.total_is_lower_bound === true,
  };
}

function searchFilter(search: ListSearch): Filter {
  const filter = baseOf(search);
  if (search.numbers.length > 0) return { ...filter, identifier: [...search.numbers] };
  return isSearchable(search.q) ? { ...filter, q: search.q } : filter;
}

function viewOf(search: ListSearch, today: string): Filter {
  return search.numbers.length > 0 ? {} : viewFilter(search, today);
}

function withoutStatus({ status: _, ...filter }: Filter): Filter {
  return filter;
}

function statusesOf(counts: Record<string, number>, late: Record<string, number> | undefined): Overview['statuses'] {
  return Object.entries(counts).map(([status, count]) => ({
    status,
    count,
    late: Math.min(count, late?.[status] ?? 0),
  }));
}

/** Counts with the same filter as the list, so that a count always equals the number of rows behind it. */
export function countsQuery(filter: Filter) {
  const { sort: _, ...query } = filter;
  return {
    queryKey: ['counts', query] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => call('countShipments', { query }, { signal }),
    staleTime: 5000,
  };
}
