import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { signOut } from '../screens/session/sign-out.ts';
import { useAccount, useSession } from '../screens/session/use-session.ts';
import { useSavedViews } from '../screens/shipments/filters/saved-views.ts';
import { overviewQuery } from '../screens/shipments/overview.ts';
import { type Command, commandsFor } from './commands.ts';
import { paletteLines } from './palette-lines.ts';
import { chooseTheme } from './theme.ts';
import { useFoundShipments } from './use-found-shipments.ts';

type Props = { close: () => void; showKeys: () => void };

/** Search and commands: finds shipments, screens, views and actions. */
export function PaletteDialog({ close, showKeys }: Props) {
  const { user } = useSession();
  const canWrite = useAccount().role !== 'viewer';
  const { views } = useSavedViews();
  const needsAttention = useQuery(overviewQuery).data?.needs_attention;
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  /** Enter was pressed before the results arrived: it applies to the first result. */
  const [isAwaited, setAwaited] = useState(false);
  const { found, isSearching } = useFoundShipments(text);
  const commands = useMemo(
    () => commandsFor({ isOperator: user.is_operator, canWrite, needsAttention }, views),
    [user.is_operator, canWrite, needsAttention, views],
  );
  const lines = useMemo(
    () => paletteLines({ text, found, isSearching, commands, canWrite }),
    [text, found, isSearching, commands, canWrite],
  );
  const chosen = lines[Math.min(at, lines.length - 1)];
  const list = useRef<HTMLDivElement>(null);
  // The dialog unmounts immediately, so it has to return the focus itself.
  const [before] = useState(() => document.activeElement);
  useEffect(() => () => void (before instanceof HTMLElement && before.focus()), [before]);

  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    close();
    if (command.go !== undefined) navigate({ resetScroll: true, search: {}, ...command.go } as never);
    else if (command.run === 'sign-out') signOut();
    else if (command.run === 'keys') showKeys();
    else if (command.run !== undefined) chooseTheme(command.run);
  };
  const write = (next: string) => {
    setText(next);
    setAt(0);
    setAwaited(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the awaited results
  useEffect(() => {
    if (isAwaited && !isSearching) run(lines[0]);
  }, [isAwaited, isSearching]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setAt(
        (before) =>
          (Math.min(before, lines.length - 1) + (event.key === 'ArrowDown' ? 1 : lines.length - 1)) %
          Math.max(1, lines.length),
      );
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (isSearching && at === 0) setAwaited(true);
    else run(chosen);
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    // An input drops line ends, which separate numbers.
    if (!/[\n\r]/.test(pasted.trim())) return;
    event.preventDefault();
    write(pasted.trim().replaceAll(/[\n\r]+/g, ', '));
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="fixed inset-x-4 top-[12vh] z-50 mx-auto flex max-h-[70dvh] max-w-xl flex-col rounded-control border border-line2 bg-bg outline-none max-sm:inset-x-0 max-sm:top-0 max-sm:max-h-dvh max-sm:rounded-none max-sm:border-x-0 max-sm:border-t-0">
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <div className="flex h-12 shrink-0 items-center gap-2 border-line border-b px-4">
            <Icon name="search" size={16} className="text-t3" />
            <input
              // biome-ignore lint/a11y/noAutofocus: the dialog is opened for typing
              autoFocus
              role="combobox"
              aria-label="Search or paste a number"
              aria-expanded={lines.length > 0}
              aria-controls={`${id}-lines`}
              aria-activedescendant={chosen === undefined ? undefined : `${id} ${chosen.key}`.replaceAll(' ', '-')}
              aria-autocomplete="list"
              autoComplete="off"
              spellCheck={false}
              placeholder="Search or paste a number"
              value={text}
              onChange={(event) => write(event.target.value)}
              onKeyDown={onKey}
              onPaste={onPaste}
              className="h-full min-w-0 flex-1 bg-transparent text-section outline-none placeholder:text-t3"
            />
            {isSearching && <span className="text-label text-t3">Searching…</span>}
            <Dialog.Close className="rounded-badge border border-line2 px-1.5 text-axis text-t3 hover:text-t1">
              Esc
            </Dialog.Close>
          </div>
          <p className="sr-only" role="status">
            {isSearching ? 'Searching' : `${lines.length} results`}
          </p>
          <div
            ref={list}
            id={`${id}-lines`}
            role="listbox"
            aria-label="Results"
            className="min-h-0 flex-1 overflow-y-auto py-1"
          >
            {lines.map((line, index) => (
              <PaletteLine
                key={line.key}
                id={`${id} ${line.key}`.replaceAll(' ', '-')}
                line={line}
                isFirst={line.group !== lines[index - 1]?.group}
                isChosen={line === chosen}
                run={() => run(line)}
                point={() => setAt(index)}
              />
            ))}
            {lines.length === 0 && <p className="px-4 py-3 text-t3">No results</p>}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type LineProps = { id: string; line: Command; isFirst: boolean; isChosen: boolean; run: () => void; point: () => void };

function PaletteLine({ id, line, isFirst, isChosen, run, point }: LineProps) {
  const isShipment = line.go?.to === '/shipments/$shipmentId';
  return (
    <>
      {isFirst && (
        <p role="presentation" className="px-4 pt-2 pb-1 text-label text-t3">
          {line.group}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the input above keeps the focus */}
      <div
        id={id}
        role="option"
        aria-selected={isChosen}
        onClick={run}
        onMouseMove={point}
        className="flex h-8 cursor-pointer items-center gap-2.5 px-4 aria-selected:bg-sel"
      >
        <Icon name={line.icon} size={14} className="text-t2" />
        <span className={`truncate ${isShipment ? 'shrink-0 font-medium font-mono text-number' : ''}`}>
          {line.name}
        </span>
        {line.hint !== undefined && (
          <span className="ml-auto min-w-0 truncate pl-3 text-label text-t3" dir="auto">
            {line.hint}
          </span>
        )}
      </div>
    </>
  );
}
