import { countShipments } from '../../api/landfall-client.ts';
import { answerOf } from '../../api/request.ts';
import type { Filter } from './list-plan.ts';

/** How many a filter gives, asked as the list asks: a number that leads to a list is the number of its rows. */
export function countsQuery(filter: Filter) {
  const { sort: _, ...asked } = filter;
  return {
    queryKey: ['counts', asked] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => answerOf(countShipments(asked, { signal })),
    staleTime: 5000,
  };
}
