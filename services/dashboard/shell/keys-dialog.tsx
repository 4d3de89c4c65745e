import { Dialog } from '@base-ui/react/dialog';
import { IconButton } from '../parts/button.tsx';
import type { Screen } from './screens.ts';

const everywhere = [
  { keys: '/', words: 'Search and commands' },
  { keys: 'Ctrl K', words: 'Search and commands, also while you write' },
  { keys: '?', words: 'These keys' },
  { keys: 'Esc', words: 'Close what is open' },
];

const list = [
  { keys: 'J', words: 'Next row; also ↓' },
  { keys: 'K', words: 'Row before; also ↑' },
  { keys: 'Space', words: 'Preview, or close it' },
  { keys: 'Enter', words: 'Open' },
  { keys: 'X', words: 'Select' },
  { keys: 'Shift X', words: 'Select up to here' },
];

const shipment = [
  { keys: 'J', words: 'The next one of the list' },
  { keys: 'K', words: 'The one before' },
];

/** Every key there is. */
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
            <Dialog.Title className="font-semibold text-title">Keys</Dialog.Title>
            <Dialog.Close render={<IconButton icon="close" size={14} label="Close" className="ml-auto" />} />
          </div>
          <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
            <Keys title="Everywhere" lines={everywhere} />
            <Keys title="In the list" lines={list} />
            <Keys title="Go to" lines={screens.map(({ keys, name }) => ({ keys: keys.toUpperCase(), words: name }))} />
            <Keys title="On a shipment" lines={shipment} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Keys({ title, lines }: { title: string; lines: readonly { keys: string; words: string }[] }) {
  return (
    <section>
      <h3 className="mb-1.5 text-label text-t3">{title}</h3>
      <dl className="flex flex-col gap-1.5">
        {lines.map(({ keys, words }) => (
          <div key={keys} className="flex items-center gap-3">
            <dt className="flex w-20 shrink-0 gap-1">
              {keys.split(' ').map((key) => (
                <kbd key={key} className="rounded-badge border border-line2 px-1.5 font-sans text-axis text-t2">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-t2">{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
