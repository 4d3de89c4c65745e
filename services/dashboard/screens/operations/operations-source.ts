import { useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { WireOperations, WireOperationsHistory, WireTrace, WireTraceSummary } from './operations-state.ts';

/** Source of the screens' data: the dashboard's session API, or the JSON of the operations port. */
export type OperationsSource = {
  getOperations: () => Promise<WireOperations>;
  getHistory: () => Promise<WireOperationsHistory>;
  findTraces: (query: Readonly<Record<string, string>>) => Promise<{ data: WireTraceSummary[] }>;
  getTrace: (traceId: string) => Promise<WireTrace>;
};

/** The filter of a list of traces. An empty or absent value does not filter. */
export type TraceSearch = {
  shipment?: string;
  carrier?: string;
  outcome?: string;
  failed?: string;
  since_s?: string;
  order?: string;
  limit?: string;
};

const refetchMs = 5000;
const historyMs = 60_000;

export const OperationsSourceContext = createContext<OperationsSource | null>(null);

export function useOperations() {
  const { getOperations } = useSource();
  return useQuery({
    queryKey: ['operations'],
    queryFn: getOperations,
    refetchInterval: refetchMs,
  });
}

/** The last 24 hours. Workers keep a sample every five minutes. */
export function useHistory() {
  const { getHistory } = useSource();
  return useQuery({ queryKey: ['operations', 'history'], queryFn: getHistory, refetchInterval: historyMs });
}

export function useTraces(search: TraceSearch) {
  const { findTraces } = useSource();
  const query = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
  return useQuery({
    queryKey: ['traces', query],
    queryFn: async () => (await findTraces(query)).data,
    refetchInterval: refetchMs * 3,
  });
}

export function useTrace(traceId: string | null) {
  const { getTrace } = useSource();
  return useQuery({
    queryKey: ['trace', traceId],
    queryFn: () => getTrace(traceId ?? ''),
    staleTime: 60_000,
    enabled: traceId !== null,
  });
}

function useSource(): OperationsSource {
  const source = use(OperationsSourceContext);
  if (source === null) throw new Error('the operations screens have no source');
  return source;
}
