import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import type { Overview } from '../../../shell/overview.ts';
import { baseOf, type Filter, lateHours, openStatuses, viewFilter } from '../list-plan.ts';
import { isFiltered, type ListSearch, shortestSearch } from '../list-search.ts';

export type ListCounts = {
  /** By status, of everything that the filters leave, the status itself apart. */
  statuses: Overview['statuses'] | undefined;
  /** How many the list has; null while that is not known. */
  total: number | null;
  /** There are more than could be counted. */
  isBound: boolean;
};

/** The counts that belong to a list: the account's own where nothing is filtered, else counted for its filters. */
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
    ...countsQuery({ ...withoutStatus(filter), status: [...openStatuses], delayed_min_hours: lateHours }),
    enabled: !isPlain,
    placeholderData: keepPreviousData,
  });
  // What needs somebody is several lists, which may share shipments, and stands on top of the current ones: only the account as a whole is counted.
  const isCountable = search.view !== 'needs';
  const isWhole = isPlain && search.view === 'current' && search.status.length === 0;
  const list = useQuery({ ...countsQuery({ ...filter, ...viewOf(search, today) }), enabled: isCountable && !isWhole });
  return {
    statuses: isPlain
      ? overview?.statuses
      : stages.data &&
        statusesOf(
          stages.data.by_status as Record<string, number>,
          late.data?.by_status as Record<string, number> | undefined,
        ),
    total: isWhole
      ? ((overview && overview.needs_you + overview.rest) ?? null)
      : isCountable
        ? (list.data?.total ?? null)
        : isPlain
          ? (overview?.needs_you ?? null)
          : null,
    isBound: !isPlain && stages.data?.total_is_lower_bound === true,
  };
}

function searchFilter(search: ListSearch): Filter {
  const filter = baseOf(search);
  if (search.numbers.length > 0) return { ...filter, identifier: [...search.numbers] };
  return search.q.length >= shortestSearch ? { ...filter, q: search.q } : filter;
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

/** How many a filter gives, asked as the list asks: a number that leads to a list is the number of its rows. */
export function countsQuery(filter: Filter) {
  const { sort: _, ...asked } = filter;
  return {
    queryKey: ['counts', asked] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => call('countShipments', { query: asked }, { signal }),
    staleTime: 5000,
  };
}
