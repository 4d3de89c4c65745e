import { Dialog } from '@base-ui/react/dialog';
import { saveFile } from '../../../api/save-file.ts';
import { Button } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Identifier } from '../../../parts/identifier.tsx';
import { WarningMark } from '../../../parts/status-icons.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import type { PageAction, RunningPageAction } from './use-bulk.ts';

type Props = {
  running: RunningPageAction;
  stop: () => void;
  dismiss: () => void;
  retry: (action: PageAction, rows: readonly ShipmentRow[]) => void;
};

/** The result for each shipment, failures first. */
export function PageActionDialog({ running, stop, dismiss, retry }: Props) {
  const { action, total, progress, isRunning } = running;
  const undone = progress.lines.filter(({ outcome }) => outcome !== 'done');
  const done = progress.lines.filter(({ outcome }) => outcome === 'done');
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && !isRunning && dismiss()} disablePointerDismissal={isRunning}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="fixed inset-x-4 top-[12vh] z-50 mx-auto flex max-h-[76vh] max-w-xl flex-col rounded-control border border-line2 bg-bg outline-none">
          <div className="border-line border-b p-4">
            <Dialog.Title className="font-semibold text-section">
              {action.kind === 'share' ? 'Share' : 'Assign'} {total.toLocaleString(numberLocale())}{' '}
              {total === 1 ? 'shipment' : 'shipments'}
            </Dialog.Title>
            <Dialog.Description className="mt-1 text-t2" aria-live="polite">
              {summaryOf(running, done.length, undone.length)}
            </Dialog.Description>
            <progress
              aria-label="Progress"
              value={progress.lines.length}
              max={total}
              className="mt-2 block h-1 w-full appearance-none overflow-hidden rounded-bar bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
            />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable list must be reachable by keyboard */}
          <ul className="min-h-0 flex-1 overflow-auto py-1" tabIndex={0} aria-label="Results">
            {[...undone, ...done].map(({ item, outcome, text }) => (
              <li key={item.id} className="flex items-start gap-2 px-4 py-1">
                <span className="mt-[3px] text-green">
                  {outcome === 'done' ? <Icon name="check" size={14} /> : <WarningMark severity="warning" />}
                </span>
                <Identifier kind={item.number.kind} value={item.number.value} />
                <span className="ml-auto min-w-0 break-all text-right text-t2">{text}</span>
              </li>
            ))}
          </ul>
          <div className="flex justify-end gap-2 border-line border-t p-3">
            {isRunning ? (
              <Button onClick={stop}>Stop</Button>
            ) : (
              <>
                {action.kind === 'share' && done.length > 0 && (
                  <Button onClick={() => saveLinks(done)}>Download links</Button>
                )}
                {undone.length > 0 && (
                  <Button
                    onClick={() =>
                      retry(
                        action,
                        undone.map(({ item }) => item),
                      )
                    }
                  >
                    Retry {undone.length.toLocaleString(numberLocale())}
                  </Button>
                )}
                <Dialog.Close render={<Button kind="primary" />}>Close</Dialog.Close>
              </>
            )}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The links are shown once, so they can be kept as a file. Numbers and links contain nothing that CSV must quote. */
function saveLinks(lines: RunningPageAction['progress']['lines']): void {
  const rows = lines.map(({ item, text }) => `${item.number.value},${text}`);
  saveFile(new Blob([['number,link', ...rows, ''].join('\r\n')], { type: 'text/csv' }), 'links.csv');
}

function summaryOf({ total, progress, isRunning }: RunningPageAction, done: number, undone: number): string {
  if (isRunning && progress.pauseS !== null)
    return `${done} of ${total} done. Rate limit reached. Continuing in ${progress.pauseS} s.`;
  if (isRunning) return `${done} of ${total} done${undone > 0 ? `, ${undone} failed` : ''}.`;
  return undone === 0 ? `All ${total} done.` : `${done} done, ${undone} not done.`;
}
