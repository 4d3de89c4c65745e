import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { Chip } from '../../parts/chip.tsx';
import { StandingMark } from '../../parts/marks.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState, ProblemNote } from '../../parts/page-states.tsx';
import { InlineSelect } from '../../parts/select.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { momentWords } from '../../parts/time-words.ts';
import { durationWords } from '../carriers/carrier-words.ts';
import { ForOperators } from './for-operators.tsx';
import { type TraceSearch, tracesQuery } from './operations-query.ts';
import type { WireTraceSummary } from './operations-types.ts';
import { TraceFilters } from './trace-filters.tsx';
import { traceResult } from './trace-words.ts';

const heads = [
  { name: 'Began', className: 'md:w-40' },
  { name: 'What', className: '' },
  { name: 'Result', className: 'md:w-[20%]' },
  { name: 'Carrier', className: 'md:w-[16%]' },
  { name: 'Shipment', className: 'md:w-28' },
  { name: 'Took', className: 'text-right md:w-24' },
];
const skeletonRows = 12;

/** The traces that are kept, by what an operator classNames for. */
export function TracesPage() {
  return (
    <ForOperators>
      <Traces />
    </ForOperators>
  );
}

function Traces() {
  const search: TraceSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = (more: TraceSearch) =>
    navigate({
      to: '.',
      search: (before: object) =>
        Object.fromEntries(Object.entries({ ...before, ...more }).filter(([, value]) => value !== '')),
      replace: true,
    } as never);
  const { data, error, refetch } = useQuery(tracesQuery({ ...search, limit: '100' }));
  return (
    <>
      <PageHead title="Traces" count={data?.length.toLocaleString('en')}>
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
          <option value="unchanged">Nothing new</option>
          <option value="not_found">Not found</option>
          <option value="error">Error</option>
        </InlineSelect>
        <InlineSelect
          label="Since"
          className="w-[140px]"
          value={search.since_s ?? ''}
          onChange={({ target }) => set({ since_s: target.value })}
        >
          <option value="">{search.shipment === undefined ? 'Last hour' : 'All that is kept'}</option>
          <option value="900">Last 15 min</option>
          <option value="86400">Last day</option>
          <option value="259200">All that is kept</option>
        </InlineSelect>
        <TraceFilters key={`${search.shipment} ${search.carrier}`} search={search} set={set} />
      </search>
      {error !== null && (
        <ProblemNote error={error} retry={() => void refetch()} className="border-line border-b px-4 py-3" />
      )}
      {data?.length === 0 && (
        <EmptyState title="No trace fits">
          Failed, slow and rate-limited ones are kept for two days, and a share of the others. Widen the time, or take a
          filter away.
        </EmptyState>
      )}
      {(data === undefined || data.length > 0) && error === null && (
        <table className="w-full border-collapse text-body max-md:block md:table-fixed">
          <thead className="max-md:sr-only">
            <tr className="h-8 border-line border-b text-left text-label text-t3">
              {heads.map(({ name, className }) => (
                <th key={name} scope="col" className={`pr-4 font-normal first:pl-4 ${className}`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-md:block">
            {data?.map((trace) => (
              <Row key={trace.trace_id} trace={trace} />
            ))}
            {data === undefined &&
              Array.from({ length: skeletonRows }, (_, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
                <tr key={row} className="h-8 border-line border-b max-md:flex max-md:h-[57px] max-md:items-center">
                  <td className="px-4 max-md:w-full" colSpan={heads.length}>
                    <Skeleton className="w-96 max-w-full" />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Row({ trace }: { trace: WireTraceSummary }) {
  const {
    trace_id: traceId,
    started_at: at,
    name,
    services,
    carrier,
    shipment_id: shipmentId,
    duration_ms: tookMs,
    failed,
  } = trace;
  return (
    <tr className="h-8 border-line border-b hover:bg-hover max-md:grid max-md:h-auto max-md:grid-cols-[1fr_auto] max-md:px-4 max-md:py-2">
      <td className="whitespace-nowrap pr-4 pl-4 text-t2 tabular-nums max-md:col-start-2 max-md:row-start-1 max-md:p-0">
        <time dateTime={at}>{momentWords(at, { seconds: true })}</time>
      </td>
      <td className="truncate pr-4 max-md:col-start-1 max-md:row-start-1">
        <Link
          to="/operations/traces/$traceId"
          params={{ traceId }}
          className="font-medium underline-offset-2 hover:underline"
        >
          {name}
        </Link>{' '}
        <span className="text-label text-t3">{services.join(', ')}</span>
      </td>
      <td className="pr-4">
        <span className="flex items-center gap-2">
          {failed && <StandingMark sign="bad" />}
          <span className={failed ? '' : 'text-t2'}>{traceResult(trace)}</span>
        </span>
      </td>
      <td className="truncate pr-4 text-t2 max-md:hidden">
        {carrier === null ? '' : (findCarrier(carrier)?.name ?? carrier)}
      </td>
      <td className="pr-4 max-md:hidden">
        {shipmentId !== null && (
          <Link
            to="/operations/traces"
            search={{ shipment: shipmentId }}
            title="All traces of this shipment"
            className="font-mono text-number text-t2 underline-offset-2 hover:underline"
          >
            …{shipmentId.slice(-8)}
          </Link>
        )}
      </td>
      <td className="pr-4 text-right tabular-nums max-md:p-0">{durationWords(tookMs)}</td>
    </tr>
  );
}
