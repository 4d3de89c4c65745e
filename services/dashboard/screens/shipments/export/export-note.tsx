import { useSyncExternalStore } from 'react';
import { ProblemError } from '../../../api/problem-error.ts';
import { saveFile } from '../../../api/save-file.ts';
import { Button, IconButton } from '../../../parts/button.tsx';
import { WarningMark } from '../../../parts/status-icons.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { dayOf } from '../list-plan.ts';
import { type ExportJob, readExport } from './export-file.ts';

/** Progress and result of the export. */
export function ExportNote() {
  const running = useRunningExport();
  if (running === null) return null;
  const lines = `${running.lines.toLocaleString(numberLocale())} ${running.lines === 1 ? 'shipment' : 'shipments'}`;
  return (
    <div
      role="status"
      className="flex min-h-9 shrink-0 items-center gap-2 border-line border-b bg-sunk px-4 text-body print:hidden"
    >
      {running.state === 'running' && (
        <>
          Exporting, {lines}
          <Button kind="quiet" className="ml-auto" onClick={endExport}>
            Stop
          </Button>
        </>
      )}
      {running.state === 'saved' &&
        `Export saved, ${lines}${running.missing > 0 ? `; ${running.missing.toLocaleString(numberLocale())} selected shipments no longer exist` : ''}`}
      {running.state === 'failed' && (
        <>
          <WarningMark severity="critical" />
          {running.problem}
        </>
      )}
      {running.state !== 'running' && (
        <IconButton icon="close" size={12} label="Close" className="ml-auto" onClick={endExport} />
      )}
    </div>
  );
}

export type RunningExport = {
  state: 'running' | 'saved' | 'failed';
  lines: number;
  /** Selected shipments that no longer exist. */
  missing: number;
  problem: string | null;
};

let running: RunningExport | null = null;
let ending: AbortController | null = null;
const listeners = new Set<() => void>();

/** The running export, or the result of the last one until it is dismissed. */
export function useRunningExport(): RunningExport | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => running,
  );
}

/** Starts an export. A running one is stopped. */
export async function startExport(job: ExportJob): Promise<void> {
  endExport();
  const own = new AbortController();
  ending = own;
  show({ state: 'running', lines: 0, missing: 0, problem: null });
  try {
    const { file, lines } = await readExport(
      job,
      (count) => show({ state: 'running', lines: count, missing: 0, problem: null }),
      own.signal,
    );
    saveFile(file, `shipments-${dayOf(Date.now())}.${job.format}`);
    show({ state: 'saved', lines, missing: (job.only?.size ?? lines) - lines, problem: null });
  } catch (error) {
    if (own.signal.aborted) return;
    const lines = running?.lines ?? 0;
    const why =
      error instanceof ProblemError || (error instanceof Error && error.name === 'SheetFull')
        ? error.message
        : `The download stopped after ${lines.toLocaleString(numberLocale())} shipments.`;
    show({ state: 'failed', lines, missing: 0, problem: `${why} Nothing was saved.` });
  }
}

/** Stops the export, or dismisses its result. */
export function endExport(): void {
  ending?.abort();
  ending = null;
  show(null);
}

function show(next: RunningExport | null): void {
  running = next;
  for (const listener of listeners) listener();
}
