import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../api/request.ts';
import type { WireOperations, WireTrace, WireTraceSummary } from './operations-types.ts';
import { keepSample } from './samples.ts';

const renewMs = 5000;

export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: async () => {
    const state = await ask<WireOperations>('GET', '/operations');
    keepSample(state);
    return state;
  },
  refetchInterval: renewMs,
});

/** Which traces; what is empty or absent does not filter. */
export type TraceSearch = {
  shipment?: string;
  carrier?: string;
  outcome?: string;
  failed?: string;
  since_s?: string;
  order?: string;
  limit?: string;
};

export const tracesQuery = (search: TraceSearch) => {
  const query = new URLSearchParams(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== '') as [string, string][],
  );
  return queryOptions({
    queryKey: ['traces', query.toString()],
    queryFn: async () => (await ask<{ data: WireTraceSummary[] }>('GET', `/traces?${query}`)).data,
    refetchInterval: renewMs * 3,
  });
};

export const traceQuery = (traceId: string) =>
  queryOptions({
    queryKey: ['trace', traceId],
    queryFn: () => ask<WireTrace>('GET', `/traces/${encodeURIComponent(traceId)}`),
    staleTime: 60_000,
  });
