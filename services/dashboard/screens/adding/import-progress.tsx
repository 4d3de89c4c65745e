import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button, buttonClasses } from '../../parts/button.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StatusGlyph } from '../../parts/status-glyph.tsx';
import { WarningMark } from '../../parts/warning-mark.tsx';
import { ImportCounts } from './import-counts.tsx';
import { importQuery, isOver } from './import-query.ts';

/** An import that runs, or ran: the page may be closed and opened again. */
export function ImportProgress({ importId, startAnew }: { importId: string; startAnew: () => void }) {
  const { data, error, refetch } = useQuery(importQuery(importId));
  if (error !== null && data === undefined) {
    return (
      <div className="flex flex-col items-start gap-3 p-4">
        <ProblemNote error={error} retry={() => void refetch()} className="w-full max-w-2xl" />
        <Button onClick={startAnew}>Another file</Button>
      </div>
    );
  }
  const share = data === undefined || data.received === 0 ? 0 : data.processed / data.received;
  const over = data !== undefined && isOver(data.state);
  return (
    <div className="flex max-w-3xl flex-col gap-4 p-4">
      <div>
        <h2 className="flex items-center gap-2 text-title font-semibold tracking-[-0.01em]">
          {over && data.state === 'completed' && <StatusGlyph status="delivered" />}
          {over && data.state !== 'completed' && <WarningMark severity="warning" />}
          {data === undefined ? <Skeleton className="w-40" /> : stateWords(data.state)}
        </h2>
        <p className="mt-1 min-h-5 text-t2">
          {data !== undefined && (
            <>
              {over ? 'Ended' : 'Began'} <Moment at={(over ? data.completed_at : null) ?? data.created_at} />.{' '}
              {data.error?.detail ?? (over ? '' : 'It goes on when this page is closed; its address finds it again.')}
            </>
          )}
        </p>
      </div>
      <div
        role="progressbar"
        aria-label="Rows registered"
        aria-valuenow={Math.floor(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 overflow-hidden rounded-bar bg-line"
      >
        <div className="h-full bg-accent" style={{ width: `${share * 100}%` }} />
      </div>
      <p className="text-t2 tabular-nums" role="status">
        {data === undefined ? (
          <Skeleton className="w-48" />
        ) : (
          `${data.processed.toLocaleString('en')} of ${data.received.toLocaleString('en')} rows looked at`
        )}
      </p>
      {data !== undefined && <ImportCounts found={data} />}
      {over && (
        <div className="flex flex-wrap gap-2">
          <Link to="/" className={buttonClasses('primary')}>
            See the shipments
          </Link>
          <Button onClick={startAnew}>Another file</Button>
        </div>
      )}
    </div>
  );
}

function stateWords(state: string): string {
  if (state === 'completed') return 'Import complete';
  if (state === 'interrupted') return 'The upload broke';
  return state === 'receiving' ? 'Receiving rows' : 'Registering';
}
