import { Link, useNavigate } from '@tanstack/react-router';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { Chip } from '../../parts/chip.tsx';
import { useSearchState } from '../../parts/hooks/use-search-state.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { clockWords } from '../../parts/time-words.ts';
import { useTraces } from './operations-source.ts';
import type { WireOperations, WireTraceSummary } from './operations-state.ts';
import { TracePreview } from './trace-preview.tsx';
import { fetchResult, tookWords, traceResult } from './trace-words.ts';
import { ShipmentTraces } from './traces-page.tsx';

type Refresh = {
  key: string;
  at: string;
  shipmentId: string | null;
  carrier: string;
  outcome: string;
  durationMs: number;
  traceId: string | null;
};
/** The state lists the same number of failures. */
const maxSlowest = 12;

/** The refreshes that failed or took longest, and the trace of the chosen one. */
export function RefreshesPanel({ state }: { state: WireOperations }) {
  const [kind, setKind] = useSearchState('refreshes');
  const [traceId, setTraceId] = useSearchState('trace');
  const slowest = useTraces({ order: 'slowest', limit: String(maxSlowest) });
  const isSlowest = kind === 'slowest';
  const refreshes = isSlowest ? slowest.data?.map(ofTrace) : state.recent.map(ofFailure);
  const chosen = traceId === '' ? (refreshes?.find((refresh) => refresh.traceId !== null)?.traceId ?? null) : traceId;
  const isSelected = (refresh: Refresh) => refresh.traceId !== null && refresh.traceId === chosen;
  const columns: Column<Refresh>[] = [
    { key: 'at', name: 'At', className: 'w-[84px]', cell: ({ at }) => <At at={at} /> },
    {
      key: 'shipment',
      name: 'Shipment',
      className: 'w-28 max-sm:hidden',
      cell: ({ shipmentId }) => <ShipmentTraces shipmentId={shipmentId} />,
    },
    {
      key: 'carrier',
      name: 'Carrier',
      className: 'w-[30%] truncate text-t2',
      cell: ({ carrier }) => findCarrier(carrier)?.name ?? carrier,
    },
    {
      key: 'outcome',
      name: 'Outcome',
      className: 'truncate max-md:w-full max-md:max-w-0',
      cell: (refresh) => <Outcome refresh={refresh} isSelected={isSelected(refresh)} select={setTraceId} />,
    },
    {
      key: 'took',
      name: 'Took',
      className: 'w-20 whitespace-nowrap text-right tabular-nums',
      cell: ({ durationMs }) => tookWords(durationMs),
    },
  ];
  return (
    <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,6fr)] border-line border-b max-lg:grid-cols-1">
      <section aria-label="Failed and slowest refreshes" className="min-w-0 border-line lg:border-r">
        <div className="flex min-h-10 flex-wrap items-center gap-2 border-line border-b px-4 py-1">
          <h2 className="mr-2 font-semibold text-section">Refreshes</h2>
          <Chip active={!isSlowest} count={state.recent.length} onClick={() => setKind('')}>
            Failed, last 15 min
          </Chip>
          <Chip active={isSlowest} onClick={() => setKind('slowest')}>
            Slowest, last hour
          </Chip>
          <Link to="/operations/traces" className="ml-auto text-accent text-label underline-offset-2 hover:underline">
            All traces
          </Link>
        </div>
        <Table
          caption={isSlowest ? 'The slowest refreshes of the last hour' : 'The most recent failed refreshes'}
          columns={columns}
          rows={refreshes}
          rowKey={({ key }) => key}
          isSelected={isSelected}
          isFixed
          skeletonRows={maxSlowest}
          error={isSlowest ? slowest.error : null}
          retry={() => void slowest.refetch()}
          empty={
            <p className="px-4 py-3 text-t2">
              {isSlowest ? 'No traces from the last hour.' : 'No refresh failed in the last 15 minutes.'}
            </p>
          }
        />
      </section>
      <TracePreview traceId={chosen} />
    </div>
  );
}

function At({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at} className="text-t2 tabular-nums">
      {clockWords(at, { seconds: true })}
    </time>
  );
}

function Outcome({
  refresh: { traceId, outcome },
  isSelected,
  select,
}: {
  refresh: Refresh;
  isSelected: boolean;
  select: (traceId: string) => void;
}) {
  const navigate = useNavigate();
  if (traceId === null) return outcome;
  return (
    <Link
      to="/operations/traces/$traceId"
      params={{ traceId }}
      aria-current={isSelected ? 'true' : undefined}
      title={`${outcome}, trace ${traceId}`}
      className="block truncate underline-offset-2 hover:underline"
      onClick={(event) => {
        // Only a wide screen has room for the trace beside the list.
        if (event.metaKey || event.ctrlKey || !window.matchMedia('(min-width: 64rem)').matches) return;
        event.preventDefault();
        if (isSelected) void navigate({ to: '/operations/traces/$traceId', params: { traceId } });
        else select(traceId);
      }}
    >
      {outcome}
    </Link>
  );
}

function ofFailure(one: WireOperations['recent'][number]): Refresh {
  const { at, carrier, duration_ms: durationMs, trace_id: traceId } = one;
  const outcome = fetchResult(one);
  return { key: `${at} ${one.shipment_id}`, shipmentId: one.shipment_id, at, carrier, outcome, durationMs, traceId };
}

function ofTrace(trace: WireTraceSummary): Refresh {
  const { trace_id: traceId, started_at: at, duration_ms: durationMs, carrier, name, shipment_id: shipmentId } = trace;
  return { key: traceId, shipmentId, at, carrier: carrier ?? name, outcome: traceResult(trace), durationMs, traceId };
}
