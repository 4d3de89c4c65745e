import { Link, useParams } from '@tanstack/react-router';
import { ProblemError } from '../../api/problem-error.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState, ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { momentWords, zoneWords } from '../../parts/time-words.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { useTrace } from './operations-source.ts';
import { tookWords } from './trace-words.ts';
import { Waterfall, WaterfallLegend } from './waterfall.tsx';

const skeletonRows = 10;

/** Shows the time that each step of one request or refresh took. */
export function Trace() {
  const { traceId = '' } = useParams({ strict: false });
  const { data, error, refetch } = useTrace(traceId);
  const failed = data?.spans.find(({ status, attributes }) => status === 'error' && 'error.type' in attributes);
  if (error instanceof ProblemError && error.status === 404) {
    return (
      <EmptyState
        level={1}
        title={error.code === 'trace_not_kept' ? 'Trace not kept' : 'Trace not found'}
        action={
          <Link to="/operations/traces" className="text-accent underline-offset-2 hover:underline">
            All traces
          </Link>
        }
      >
        <p className="break-all font-mono text-number">{traceId}</p>
        <p className="mt-2">{error.message}</p>
        {error.code === 'trace_not_kept' && (
          <p className="mt-2">
            The outcome of recent refreshes stays with each shipment:{' '}
            <code>GET /v1/shipments/{'{shipment_id}'}/refreshes</code>.
          </p>
        )}
      </EmptyState>
    );
  }
  return (
    <>
      <PageHead title={data?.spans[0]?.name ?? 'Trace'}>
        {data !== undefined && <WaterfallLegend trace={data} />}
        <CopyButton text={traceId} label="Copy trace ID" />
      </PageHead>
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4 py-1 text-label text-t2">
        <Link to="/operations/traces" className="text-accent underline-offset-2 hover:underline">
          All traces
        </Link>
        <span className="break-all font-mono text-number">{traceId}</span>
        {data !== undefined && (
          <>
            <time dateTime={data.started_at} title={data.started_at}>
              {momentWords(data.started_at, { seconds: true })} {zoneWords(data.started_at)}
            </time>
            <span className="tabular-nums">{tookWords(data.duration_ms)}</span>
            <span>
              {data.spans.length.toLocaleString(numberLocale())} {data.spans.length === 1 ? 'span' : 'spans'} in{' '}
              {[...new Set(data.spans.map(({ service }) => service))].join(', ')}
            </span>
          </>
        )}
      </div>
      {error !== null && <ProblemNote error={error} retry={() => void refetch()} className="p-4" />}
      {data === undefined &&
        error === null &&
        Array.from({ length: skeletonRows }, (_, row) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: all rows are alike
            key={row}
            aria-hidden="true"
            className="flex h-[26px] items-center px-4"
            style={{ paddingLeft: 16 + row * 12 }}
          >
            <Skeleton className="w-40" />
          </div>
        ))}
      {data !== undefined && <Waterfall key={data.trace_id} trace={data} />}
      {failed !== undefined && (
        <p className="border-line border-t px-4 py-3">
          <span className="text-t3">Cause:</span> {failed.name} failed: {String(failed.attributes['error.type'])}
          {'refresh.not_asked' in failed.attributes && `; not called: ${failed.attributes['refresh.not_asked']}`}.
        </p>
      )}
    </>
  );
}
