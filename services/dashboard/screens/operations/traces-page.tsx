import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { InlineSelect } from '../../parts/inputs/select.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState } from '../../parts/page-states.tsx';
import { StandingMark } from '../../parts/status-icons.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { momentWords } from '../../parts/time-words.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { type TraceSearch, useTraces } from './operations-source.ts';
import type { WireTraceSummary } from './operations-state.ts';
import { tookWords, traceResult } from './trace-words.ts';

const maxTraces = '100';
const columns: Column<WireTraceSummary>[] = [
  {
    key: 'started',
    name: 'Started',
    className: 'whitespace-nowrap md:w-36 max-md:col-start-2 max-md:row-start-1 max-md:text-right',
    cell: ({ started_at: at }) => (
      <time dateTime={at} title={at} className="text-t2 tabular-nums">
        {momentWords(at, { seconds: true })}
      </time>
    ),
  },
  {
    key: 'operation',
    name: 'Operation',
    className: 'truncate max-md:row-start-1',
    cell: ({ trace_id: traceId, name, services }) => (
      <>
        <Link
          to="/operations/traces/$traceId"
          params={{ traceId }}
          className="font-medium underline-offset-2 hover:underline"
        >
          {name}
        </Link>{' '}
        <span className="text-label text-t3">{services.join(', ')}</span>
      </>
    ),
  },
  {
    key: 'result',
    name: 'Result',
    className: 'truncate md:w-[20%] max-md:row-start-2',
    cell: (trace) => (
      <span className="flex items-center gap-2">
        {trace.failed && <StandingMark sign="bad" />}
        <span className={`truncate ${trace.failed ? '' : 'text-t2'}`}>{traceResult(trace)}</span>
      </span>
    ),
  },
  {
    key: 'carrier',
    name: 'Carrier',
    className: 'truncate text-t2 md:w-[16%] max-md:row-start-3',
    cell: ({ carrier }) => (carrier === null ? '' : (findCarrier(carrier)?.name ?? carrier)),
  },
  {
    key: 'shipment',
    name: 'Shipment',
    className: 'md:w-28 max-md:col-start-2 max-md:row-start-3 max-md:text-right',
    cell: ({ shipment_id: shipmentId }) => <ShipmentTraces shipmentId={shipmentId} />,
  },
  {
    key: 'took',
    name: 'Took',
    className: 'text-right tabular-nums md:w-20 max-md:col-start-2 max-md:row-start-2',
    cell: ({ duration_ms: tookMs }) => tookWords(tookMs),
  },
];

/** The stored traces, filtered. */
export function Traces() {
  const search: TraceSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = (more: TraceSearch) =>
    navigate({
      to: '.',
      search: (before: object) =>
        Object.fromEntries(Object.entries({ ...before, ...more }).filter(([, value]) => value !== '')),
      replace: true,
    } as never);
  const { data, error, refetch } = useTraces({ limit: maxTraces, ...search });
  return (
    <>
      <PageHead title="Traces" count={data?.length.toLocaleString(numberLocale())}>
        <Link to="/operations" className="text-accent underline-offset-2 hover:underline">
          Operations
        </Link>
      </PageHead>
      <search className="flex min-h-[44px] flex-wrap items-center gap-2 border-line border-b px-4 py-2">
        <Chip active={search.failed === 'true'} onClick={() => set({ failed: search.failed === 'true' ? '' : 'true' })}>
          Failed
        </Chip>
        <Chip
          active={search.order === 'slowest'}
          onClick={() => set({ order: search.order === 'slowest' ? '' : 'slowest' })}
        >
          Slowest first
        </Chip>
        <InlineSelect
          label="Outcome"
          className="w-[140px]"
          value={search.outcome ?? ''}
          onChange={({ target }) => set({ outcome: target.value })}
        >
          <option value="">Any outcome</option>
          <option value="changed">Changed</option>
          <option value="unchanged">Unchanged</option>
          <option value="not_found">Not found</option>
          <option value="error">Error</option>
        </InlineSelect>
        <InlineSelect
          label="Since"
          className="w-[140px]"
          value={search.since_s ?? (search.shipment === undefined ? '3600' : '259200')}
          onChange={({ target }) => set({ since_s: target.value })}
        >
          <option value="900">Last 15 min</option>
          <option value="3600">Last hour</option>
          <option value="86400">Last day</option>
          <option value="259200">All stored</option>
        </InlineSelect>
        <TypedFilters key={`${search.shipment} ${search.carrier}`} search={search} set={set} />
      </search>
      <Table
        caption="Traces"
        columns={columns}
        rows={data}
        rowKey={({ trace_id: traceId }) => traceId}
        rowClassName={() => 'h-8 max-md:grid-cols-[1fr_auto] max-md:gap-x-3'}
        narrow="stacked"
        isFixed
        skeletonRows={12}
        error={error}
        retry={() => void refetch()}
        empty={
          <EmptyState title="No matching traces">
            Landfall stores failed, slow and rate-limited traces for two days, and a sample of the others. Choose a
            longer time or remove a filter.
          </EmptyState>
        }
      />
    </>
  );
}

/** Filters that apply when they are submitted: half a shipment id matches nothing. */
function TypedFilters({ search, set }: { search: TraceSearch; set: (more: TraceSearch) => void }) {
  const [shipment, setShipment] = useState(search.shipment ?? '');
  const [carrier, setCarrier] = useState(search.carrier ?? '');
  const classes = 'h-7 min-w-0 rounded-control border border-line2 bg-bg px-2.5 text-body placeholder:text-t3';
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        set({ shipment: shipment.trim(), carrier: carrier.trim() });
      }}
    >
      <input
        aria-label="Shipment ID"
        placeholder="shp_…"
        value={shipment}
        onChange={({ target }) => setShipment(target.value)}
        className={`${classes} w-60 font-mono`}
      />
      <input
        aria-label="Carrier code"
        placeholder="Carrier, e.g. MAEU"
        value={carrier}
        onChange={({ target }) => setCarrier(target.value)}
        className={`${classes} w-32`}
      />
      <Button type="submit">Find</Button>
      {(search.shipment !== undefined || search.carrier !== undefined) && (
        <Button kind="quiet" onClick={() => set({ shipment: '', carrier: '' })}>
          Clear
        </Button>
      )}
    </form>
  );
}

/** A shipment, as a link to all its traces. */
export function ShipmentTraces({ shipmentId }: { shipmentId: string | null }) {
  if (shipmentId === null) return null;
  return (
    <Link
      to="/operations/traces"
      search={{ shipment: shipmentId }}
      title={`All traces of ${shipmentId}`}
      className="font-mono text-number text-t2 underline-offset-2 hover:underline"
    >
      …{shipmentId.slice(-8)}
    </Link>
  );
}
