import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { keepSample } from './samples.ts';

const renewMs = 5000;

export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: async () => {
    const state = await call('getOperations');
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
  const query = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
  return queryOptions({
    queryKey: ['traces', query],
    queryFn: async () => (await call('findTraces', { query })).data,
    refetchInterval: renewMs * 3,
  });
};

export const traceQuery = (traceId: string) =>
  queryOptions({
    queryKey: ['trace', traceId],
    queryFn: () => call('getTrace', { params: { trace_id: traceId } }),
    staleTime: 60_000,
  });
