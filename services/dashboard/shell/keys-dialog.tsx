import { Dialog } from '@base-ui/react/dialog';
import { IconButton } from '../parts/button.tsx';
import type { Screen } from './screens.ts';

const everywhere = [
  { keys: '/', text: 'Search and commands' },
  { keys: 'Ctrl K', text: 'Search and commands (works in text fields)' },
  { keys: '?', text: 'Keyboard shortcuts' },
  { keys: 'Esc', text: 'Close' },
];

const list = [
  { keys: 'J', text: 'Next row (or ↓)' },
  { keys: 'K', text: 'Previous row (or ↑)' },
  { keys: 'Space', text: 'Open or close the preview' },
  { keys: 'Enter', text: 'Open' },
  { keys: 'X', text: 'Select' },
  { keys: 'Shift X', text: 'Select a range' },
  { keys: 'R', text: 'Refresh the row or the selection' },
  { keys: 'T', text: 'Tag it' },
  { keys: 'A', text: 'Archive it, or restore it' },
  { keys: 'E', text: 'Edit the row' },
  { keys: 'C', text: 'Copy its number' },
];

const shipment = [
  { keys: 'J', text: 'Next shipment in the list' },
  { keys: 'K', text: 'Previous shipment in the list' },
  { keys: 'R', text: 'Refresh' },
  { keys: 'T', text: 'Tag' },
  { keys: 'A', text: 'Archive, or restore' },
  { keys: 'E', text: 'Edit' },
  { keys: 'C', text: 'Copy the number' },
];

const map = [
  { keys: '+', text: 'Zoom in' },
  { keys: '-', text: 'Zoom out' },
  { keys: '0', text: 'Show the whole world' },
  { keys: '← →', text: 'Move the map (also ↑ and ↓)' },
];

/** All keyboard shortcuts. */
export function KeysDialog({
  isOpen,
  close,
  screens,
}: {
  isOpen: boolean;
  close: () => void;
  screens: readonly Screen[];
}) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="fixed inset-x-4 top-[12vh] z-50 mx-auto max-h-[76vh] max-w-2xl overflow-y-auto rounded-control border border-line2 bg-bg p-5 outline-none">
          <div className="mb-3 flex items-center">
            <Dialog.Title className="font-semibold text-title">Keyboard shortcuts</Dialog.Title>
            <Dialog.Close render={<IconButton icon="close" size={14} label="Close" className="ml-auto" />} />
          </div>
          <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
            <Keys title="Anywhere" lines={everywhere} />
            <Keys title="In the list" lines={list} />
            <Keys title="Go to" lines={screens.map(({ keys, name }) => ({ keys: keys.toUpperCase(), text: name }))} />
            <Keys title="On a shipment" lines={shipment} />
            <Keys title="On a map" lines={map} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Keys({ title, lines }: { title: string; lines: readonly { keys: string; text: string }[] }) {
  return (
    <section>
      <h3 className="mb-1.5 text-label text-t3">{title}</h3>
      <dl className="flex flex-col gap-1.5">
        {lines.map(({ keys, text }) => (
          <div key={keys} className="flex items-center gap-3">
            <dt className="flex w-20 shrink-0 gap-1">
              {keys.split(' ').map((key) => (
                <kbd key={key} className="rounded-badge border border-line2 px-1.5 font-sans text-axis text-t2">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-t2">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
