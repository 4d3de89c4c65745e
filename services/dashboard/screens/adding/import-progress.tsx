import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WireImport } from '#shared/contract/imports/import-wire.ts';
import { call } from '../../api/call.ts';
import { saveFile } from '../../api/save-file.ts';
import { Button, buttonClasses } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StatusGlyph, WarningMark } from '../../parts/status-icons.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { DeleteImport } from './delete-import.tsx';
import { type FailureReason, firstReasons } from './failure-reasons.ts';

/** A running or finished import. It continues when the page is closed. */
export function ImportProgress({ importId, reset }: { importId: string; reset: () => void }) {
  const { data, error, refetch } = useQuery(importQuery(importId));
  if (error !== null && data === undefined) {
    return (
      <div className="flex flex-col items-start gap-3 p-4">
        <ProblemNote error={error} retry={() => void refetch()} className="w-full max-w-2xl" />
        <Button onClick={reset}>Import another file</Button>
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
          {data === undefined ? <Skeleton className="w-40" /> : stateText(data.state)}
        </h2>
        <p className="mt-1 min-h-5 text-t2">
          {data !== undefined && (
            <>
              {over ? 'Ended' : 'Started'} <Timestamp at={(over ? data.completed_at : null) ?? data.created_at} />.{' '}
              {data.error?.detail ?? (over ? '' : 'The import continues if you close this page.')}
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
          `${data.processed.toLocaleString(numberLocale())} of ${data.received.toLocaleString(numberLocale())} rows processed`
        )}
      </p>
      {data !== undefined && <ImportCounts found={data} />}
      {data !== undefined && (
        <div className="flex flex-wrap gap-2">
          {over && (
            <>
              <Link to="/" className={buttonClasses('primary')}>
                View shipments
              </Link>
              <Button onClick={reset}>Import another file</Button>
            </>
          )}
          <DeleteImport importId={importId} isRunning={!over} onDeleted={reset} />
        </div>
      )}
    </div>
  );
}

function stateText(state: string): string {
  if (state === 'completed') return 'Import complete';
  if (state === 'interrupted') return 'Upload interrupted';
  if (state === 'failed') return 'Import failed';
  return state === 'receiving' ? 'Receiving rows' : 'Registering rows';
}

/** Counts of the import or dry run, and the failed rows as a file. */
export function ImportCounts({ found }: { found: WireImport }) {
  const [error, setError] = useState<unknown>(null);
  const reasons = useQuery({ ...reasonsQuery(found), enabled: found.failed > 0 && isOver(found.state) });
  const { dry_run: isDry, created, existing, updated, failed, warned, import_id: importId, format } = found;
  const facts = [
    [created, isDry ? 'would be registered' : 'registered'],
    [existing, 'already tracked'],
    ...(updated === 0 ? [] : [[updated, isDry ? 'would be updated' : 'updated'] as const]),
    ...(warned === 0 ? [] : [[warned, warned === 1 ? 'has a warning' : 'have warnings'] as const]),
    [failed, isDry ? 'would fail' : 'failed'],
  ] as const;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        {facts.map(([count, label], index) => (
          <p key={label} className="flex items-baseline gap-2">
            {index === facts.length - 1 && count > 0 && (
              <span className="self-center">
                <WarningMark severity="warning" />
              </span>
            )}
            <span className="text-count font-semibold tabular-nums tracking-[-0.015em]">
              {count.toLocaleString(numberLocale())}
            </span>
            <span className="text-t2">{label}</span>
          </p>
        ))}
        {failed + warned > 0 && (
          <Button onClick={() => downloadErrors(importId, format).then(() => setError(null), setError)}>
            <Icon name="download" size={14} />
            {failed > 0 ? 'Download failed rows' : 'Download rows with warnings'}
          </Button>
        )}
        {found.errors_omitted > 0 && (
          <p className="text-t2">
            {found.errors_omitted.toLocaleString(numberLocale())} more rows are not in the file.
          </p>
        )}
        {error !== null && <ProblemNote error={error} />}
      </div>
      {reasons.isError && <ProblemNote error={reasons.error} retry={() => void reasons.refetch()} />}
      {reasons.data !== undefined && reasons.data.length > 0 && <FailureReasons reasons={reasons.data} />}
    </div>
  );
}

/** Lists each reason for failed rows once, with the first row that it concerns. */
function FailureReasons({ reasons }: { reasons: readonly FailureReason[] }) {
  return (
    <ul aria-label="Why rows failed" className="flex max-h-[40dvh] max-w-[90ch] flex-col gap-1 overflow-auto">
      {reasons.map(({ row, more, detail }) => (
        <li key={row} className="flex gap-3 max-sm:flex-col max-sm:gap-0">
          <span className="w-28 shrink-0 text-t2 tabular-nums">
            Row {row.toLocaleString(numberLocale())}
            {more > 0 && `, ${more.toLocaleString(numberLocale())} more`}
          </span>
          <span className="min-w-0 break-words" dir="auto">
            {detail}
          </span>
        </li>
      ))}
    </ul>
  );
}

const refetchMs = 1000;

/** An import, refetched while it runs. */
export const importQuery = (importId: string) =>
  queryOptions({
    queryKey: ['import', importId],
    queryFn: () => call('getImport', { params: { import_id: importId } }),
    refetchInterval: ({ state }) => (state.data === undefined || isOver(state.data.state) ? false : refetchMs),
  });

/** The reasons of the first failed rows of an import that has ended. */
const reasonsQuery = ({ import_id: importId }: WireImport) =>
  queryOptions({
    queryKey: ['import', importId, 'reasons'],
    queryFn: async () => {
      const query = { format: 'ndjson', limit: readRows } as const;
      return firstReasons((await call('getImportErrors', { params: { import_id: importId }, query })) as string);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Rows that are read for the reasons. */
const readRows = 100;

export function isOver(state: string): boolean {
  return state === 'completed' || state === 'interrupted' || state === 'failed';
}

async function downloadErrors(importId: string, format: string): Promise<void> {
  const input = { params: { import_id: importId }, query: { severity: 'any' as const } };
  const text = (await call('getImportErrors', input)) as string;
  const isNdjson = format === 'ndjson';
  const file = new Blob([text], { type: isNdjson ? 'application/x-ndjson' : 'text/csv' });
  saveFile(file, `${importId}-errors.${isNdjson ? 'ndjson' : 'csv'}`);
}
