import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { Chip } from '../../parts/chip.tsx';
import { useSearchState } from '../../parts/hooks/use-search-state.ts';
import { ProblemNote } from '../../parts/page-states.tsx';
import { momentWords } from '../../parts/time-words.ts';
import { durationWords } from '../carriers/carrier-words.ts';
import { tracesQuery } from './operations-query.ts';
import type { WireOperations } from './operations-types.ts';
import { TracePreview } from './trace-preview.tsx';
import { fetchResult, traceResult } from './trace-words.ts';

type Refresh = {
  key: string;
  at: string;
  shipmentId: string | null;
  carrier: string;
  outcome: string;
  durationMs: number;
  traceId: string | null;
};
const shownRefreshes = 8;

/** Refreshes that failed or took long, and the trace of the one that is chosen. */
export function RefreshesPanel({ state }: { state: WireOperations }) {
  const [kind, setKind] = useSearchState('refreshes');
  const [traceId, setTraceId] = useSearchState('trace');
  const slowest = useQuery(tracesQuery({ order: 'slowest', limit: String(shownRefreshes) }));
  const refreshes =
    kind === 'slowest' ? (slowest.data ?? []).map(ofTrace) : state.recent.slice(0, shownRefreshes).map(ofFailure);
  const chosen = traceId === '' ? (refreshes.find((refresh) => refresh.traceId !== null)?.traceId ?? null) : traceId;
  return (
    <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,6fr)] max-lg:grid-cols-1">
      <section aria-label="Failed and slowest refreshes" className="min-w-0 border-line lg:border-r">
        <div className="flex min-h-10 flex-wrap items-center gap-2 border-line border-b px-4 py-1">
          <h2 className="mr-2 font-semibold text-section">Refreshes</h2>
          <Chip active={kind !== 'slowest'} count={state.recent.length} onClick={() => setKind('')}>
            Failed, 15 min
          </Chip>
          <Chip active={kind === 'slowest'} onClick={() => setKind('slowest')}>
            Slowest, last hour
          </Chip>
          <Link to="/operations/traces" className="ml-auto text-accent text-label underline-offset-2 hover:underline">
            All traces
          </Link>
        </div>
        {kind === 'slowest' && slowest.error !== null && (
          <ProblemNote error={slowest.error} retry={() => void slowest.refetch()} className="p-4" />
        )}
        {refreshes.length === 0 && (kind !== 'slowest' || slowest.data !== undefined) && (
          <p className="px-4 py-3 text-t2">
            {kind === 'slowest' ? 'No trace of the last hour is kept.' : 'None failed in the last quarter of an hour.'}
          </p>
        )}
        <table className="w-full table-fixed border-collapse text-body">
          <caption className="sr-only">
            {kind === 'slowest' ? 'The slowest of the last hour' : 'The last that failed'}
          </caption>
          {refreshes.length > 0 && (
            <thead>
              <tr className="h-8 border-line border-b text-left text-label text-t3">
                <th scope="col" className="w-[68px] pr-3 pl-4 font-normal">
                  At
                </th>
                <th scope="col" className="w-24 pr-3 font-normal max-sm:hidden">
                  Shipment
                </th>
                <th scope="col" className="w-[30%] pr-3 font-normal">
                  Carrier
                </th>
                <th scope="col" className="pr-3 font-normal">
                  Outcome
                </th>
                <th scope="col" className="w-20 pr-4 text-right font-normal">
                  Took
                </th>
              </tr>
            </thead>
          )}
          <tbody>
            {refreshes.map((refresh) => (
              <RefreshRow
                key={refresh.key}
                refresh={refresh}
                selected={refresh.traceId !== null && refresh.traceId === chosen}
                select={setTraceId}
              />
            ))}
          </tbody>
        </table>
      </section>
      <TracePreview traceId={chosen} />
    </div>
  );
}

function RefreshRow({
  refresh,
  selected,
  select,
}: {
  refresh: Refresh;
  selected: boolean;
  select: (traceId: string) => void;
}) {
  const navigate = useNavigate();
  const { traceId } = refresh;
  const name = findCarrier(refresh.carrier)?.name ?? refresh.carrier;
  return (
    <tr className={`h-8 border-line border-b ${selected ? 'bg-sel' : 'hover:bg-hover'}`}>
      <td
        className={`border-l-2 pr-3 pl-3.5 text-t2 tabular-nums ${selected ? 'border-accent' : 'border-transparent'}`}
      >
        <time dateTime={refresh.at} title={momentWords(refresh.at, { seconds: true })}>
          {momentWords(refresh.at).split(' ').at(-1)}
        </time>
      </td>
      <td className="pr-3 max-sm:hidden">
        {refresh.shipmentId !== null && (
          <Link
            to="/operations/traces"
            search={{ shipment: refresh.shipmentId }}
            title="All traces of this shipment"
            className="font-mono text-number text-t2 underline-offset-2 hover:underline"
          >
            …{refresh.shipmentId.slice(-8)}
          </Link>
        )}
      </td>
      <td className="truncate pr-3 text-t2">{name}</td>
      <td className="pr-3">
        {traceId === null ? (
          <span className="block truncate">{refresh.outcome}</span>
        ) : (
          <Link
            to="/operations/traces/$traceId"
            params={{ traceId }}
            aria-current={selected ? 'true' : undefined}
            className="block truncate underline-offset-2 hover:underline"
            onClick={(event) => {
              // Beside the list there is room for it on a wide screen alone.
              if (event.metaKey || event.ctrlKey || !window.matchMedia('(min-width: 64rem)').matches) return;
              event.preventDefault();
              if (selected) void navigate({ to: '/operations/traces/$traceId', params: { traceId } });
              else select(traceId);
            }}
          >
            {refresh.outcome}
          </Link>
        )}
      </td>
      <td className="pr-4 text-right tabular-nums">{durationWords(refresh.durationMs)}</td>
    </tr>
  );
}

function ofFailure(one: WireOperations['recent'][number]): Refresh {
  const { at, carrier, duration_ms: durationMs, trace_id: traceId } = one;
  const outcome = fetchResult(one);
  return { key: `${at} ${one.shipment_id}`, shipmentId: one.shipment_id, at, carrier, outcome, durationMs, traceId };
}

function ofTrace(trace: Parameters<typeof traceResult>[0]): Refresh {
  const { trace_id: traceId, started_at: at, duration_ms: durationMs, carrier, name } = trace;
  return {
    key: traceId,
    shipmentId: trace.shipment_id,
    at,
    carrier: carrier ?? name,
    outcome: traceResult(trace),
    durationMs,
    traceId,
  };
}
