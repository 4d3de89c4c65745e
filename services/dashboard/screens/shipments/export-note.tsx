import { Button } from '../../parts/button.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { WarningMark } from '../../parts/warning-mark.tsx';
import { endExport, useRunningExport } from './running-export.ts';

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
