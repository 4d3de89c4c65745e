import { Link } from '@tanstack/react-router';
import { ProblemError } from '../../api/problem-error.ts';
import { ProblemNote } from '../../parts/page-states.tsx';
import { clockWords } from '../../parts/time-words.ts';
import { useTrace } from './operations-source.ts';
import { Waterfall, WaterfallLegend } from './waterfall.tsx';

/** The trace beside the list. On a narrow screen the list links to its page instead. */
export function TracePreview({ traceId }: { traceId: string | null }) {
  const { data, error, refetch } = useTrace(traceId);
  const isGone = error instanceof ProblemError && error.status === 404;
  return (
    <section aria-label="Trace" className="min-w-0 max-lg:hidden">
      <div className="flex min-h-10 items-center gap-3 border-line border-b px-4">
        <h2 className="font-semibold text-section">Trace</h2>
        {traceId !== null && (
          <Link
            to="/operations/traces/$traceId"
            params={{ traceId }}
            className="font-mono text-number text-t2 underline-offset-2 hover:underline"
          >
            {traceId.slice(0, 8)}
          </Link>
        )}
        {data !== undefined && (
          <span className="text-label text-t3">{clockWords(data.started_at, { seconds: true })}</span>
        )}
        {data !== undefined && <WaterfallLegend trace={data} />}
      </div>
      {traceId === null && <p className="px-4 py-3 text-t2">Choose a refresh to see where it spent its time.</p>}
      {isGone && <p className="px-4 py-3 text-t2">{error.message}</p>}
      {error !== null && !isGone && <ProblemNote error={error} retry={() => void refetch()} className="p-4" />}
      {data !== undefined && <Waterfall key={data.trace_id} trace={data} />}
    </section>
  );
}
