import { useSyncExternalStore } from 'react';
import { ProblemError } from '../../../api/problem-error.ts';
import { Button, IconButton } from '../../../parts/button.tsx';
import { WarningMark } from '../../../parts/marks.tsx';
import { dayOf } from '../list-plan.ts';
import { type ExportJob, readExport, saveFile } from './export-file.ts';

/** How far the file is, and that it is saved, or not. */
export function ExportNote() {
  const running = useRunningExport();
  if (running === null) return null;
  const lines = `${running.lines.toLocaleString('en')} ${running.lines === 1 ? 'line' : 'lines'}`;
  return (
    <div
      role="status"
      className="flex min-h-9 shrink-0 items-center gap-2 border-line border-b bg-sunk px-4 text-body print:hidden"
    >
      {running.state === 'reading' && (
        <>
          Reading the export, {lines}
          <Button kind="quiet" className="ml-auto" onClick={endExport}>
            Stop
          </Button>
        </>
      )}
      {running.state === 'saved' &&
        `Export saved, ${lines}${running.missing > 0 ? `; ${running.missing.toLocaleString('en')} of those selected could not be found any more` : ''}`}
      {running.state === 'broken' && (
        <>
          <WarningMark severity="critical" />
          {running.problem}
        </>
      )}
      {running.state !== 'reading' && (
        <IconButton icon="close" size={12} label="Close" className="ml-auto" onClick={endExport} />
      )}
    </div>
  );
}

export type RunningExport = {
  state: 'reading' | 'saved' | 'broken';
  lines: number;
  /** How many of those asked for by name are not there any more. */
  missing: number;
  problem: string | null;
};

let running: RunningExport | null = null;
let ending: AbortController | null = null;
const listeners = new Set<() => void>();

/** The export under way, or how the last one ended, until it is put away. */
export function useRunningExport(): RunningExport | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => running,
  );
}

/** Begins an export; one that is under way ends. */
export async function startExport(job: ExportJob): Promise<void> {
  endExport();
  const own = new AbortController();
  ending = own;
  show({ state: 'reading', lines: 0, missing: 0, problem: null });
  try {
    const { file, lines } = await readExport(
      job,
      (count) => show({ state: 'reading', lines: count, missing: 0, problem: null }),
      own.signal,
    );
    saveFile(file, `shipments-${dayOf(Date.now())}.${job.format}`);
    show({ state: 'saved', lines, missing: (job.only?.size ?? lines) - lines, problem: null });
  } catch (error) {
    if (own.signal.aborted) return;
    const lines = running?.lines ?? 0;
    const why =
      error instanceof ProblemError ? error.message : `The file broke off after ${lines.toLocaleString('en')} lines`;
    show({ state: 'broken', lines, missing: 0, problem: `${why}. Nothing was saved.` });
  }
}

/** Ends it, or puts away what it said. */
export function endExport(): void {
  ending?.abort();
  ending = null;
  show(null);
}

function show(next: RunningExport | null): void {
  running = next;
  for (const listener of listeners) listener();
}
