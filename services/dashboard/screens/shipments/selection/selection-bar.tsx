import { Popover } from '@base-ui/react/popover';
import { type FormEvent, useState } from 'react';
import { Button, buttonClasses } from '../../../parts/button.tsx';
import { useListFocus } from '../../../parts/hooks/use-list-focus.ts';
import { Icon } from '../../../parts/icon.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import type { ListSearch } from '../list-search.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import { AssignMenu } from './assign-menu.tsx';
import type { WholeSelection } from './selection.ts';
import { ShareDialog } from './share-dialog.tsx';
import type { BulkAction } from './use-bulk.ts';

type Props = {
  rows: readonly ShipmentRow[];
  canWrite: boolean;
  start: (action: BulkAction, rows: readonly ShipmentRow[]) => void;
  clear: () => void;
  search: ListSearch;
  /** How many shipments the list has, formatted; null while unknown. */
  total: string | null;
  whole: WholeSelection;
  isTagging: boolean;
  setTagging: (isOpen: boolean) => void;
};

/** Actions on the selected shipments. */
export function SelectionBar(props: Props) {
  const { rows, canWrite, start, clear, search, total, whole, isTagging, setTagging } = props;
  const [isSharing, setSharing] = useState(false);
  const isArchived = rows.every((row) => row.isArchived);
  const reason = canWrite ? undefined : 'You have view-only access to this account';
  const action = (name: string, act: BulkAction) => (
    <Button disabled={!canWrite} title={reason} onClick={() => start(act, rows)}>
      {name}
    </Button>
  );
  return (
    <div
      role="toolbar"
      aria-label="Selected shipments"
      className="flex min-h-[45px] shrink-0 flex-wrap items-center gap-2 border-line border-b bg-sel px-4 py-1.5 print:hidden"
    >
      <span className="mr-2 font-medium tabular-nums" aria-live="polite">
        {selectionText(rows.length, whole)}
      </span>
      {whole.state === 'loaded' && whole.select !== null && (
        <button type="button" className="mr-2 -ml-1 text-accent hover:underline" onClick={whole.select}>
          Select all {total ?? 'shipments'}
        </button>
      )}
      {whole.state === 'loading' && <span className="mr-2 -ml-1 text-t2">Loading the rest…</span>}
      <TagMenu rows={rows} disabled={!canWrite} reason={reason} start={start} isOpen={isTagging} setOpen={setTagging} />
      <AssignMenu
        disabled={!canWrite}
        reason={reason}
        assign={(choice) => start({ kind: 'assign', ...choice }, rows)}
      />
      {action('Refresh', { kind: 'refresh' })}
      {action('Resume', { kind: 'resume' })}
      {isArchived ? action('Restore', { kind: 'restore' }) : action('Archive', { kind: 'archive' })}
      <Button disabled={!canWrite} title={reason} onClick={() => setSharing(true)}>
        Share
      </Button>
      <ExportMenu search={search} total={total} selected={rows} />
      <Button kind="quiet" className="ml-auto" onClick={clear}>
        Clear
      </Button>
      {isSharing && (
        <ShareDialog
          count={rows.length}
          create={(choice) => {
            setSharing(false);
            start({ kind: 'share', ...choice }, rows);
          }}
          close={() => setSharing(false)}
        />
      )}
    </div>
  );
}

function selectionText(count: number, { state }: WholeSelection): string {
  const number = count.toLocaleString(numberLocale());
  if (state === 'all') return count === 1 ? '1 selected' : `All ${number} selected`;
  return state === 'part' ? `${number} selected` : `${number} loaded shipments selected`;
}

type TagProps = Pick<Props, 'rows' | 'start'> & {
  disabled: boolean;
  reason: string | undefined;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
};

function TagMenu({ rows, disabled, reason, start, isOpen, setOpen }: TagProps) {
  const [text, setText] = useState('');
  const { noteReason, finalFocus } = useListFocus();
  const present = [...new Set(rows.flatMap(({ tags }) => tags))].sort();
  const run = (add: readonly string[], remove: readonly string[]) => {
    setOpen(false);
    setText('');
    start({ kind: 'tag', add, remove }, rows);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const tags = text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    if (tags.length > 0) run(tags, []);
  };
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(next, details) => {
        noteReason(next, details);
        setOpen(next);
      }}
    >
      <Popover.Trigger className={`${buttonClasses()} disabled:opacity-50`} disabled={disabled} title={reason}>
        <Icon name="tag" size={14} />
        Tag
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className="z-50">
          <Popover.Popup
            finalFocus={finalFocus}
            className="w-72 rounded-control border border-line2 bg-bg p-2 text-body outline-none"
          >
            <Popover.Title className="sr-only">Tags</Popover.Title>
            <form onSubmit={submit} className="flex gap-2">
              <input
                aria-label="Tags to add, separated by commas"
                placeholder="Add tags"
                value={text}
                onChange={(event) => setText(event.target.value)}
                className="h-7 min-w-0 flex-1 rounded-control border border-line2 bg-bg px-2 placeholder:text-t3"
              />
              <Button type="submit" kind="primary" disabled={text.trim() === ''}>
                Add
              </Button>
            </form>
            {present.length > 0 && (
              <ul className="mt-2 max-h-48 overflow-auto">
                {present.map((tag) => (
                  <li key={tag}>
                    <button
                      type="button"
                      className="flex h-8 w-full items-center gap-2 rounded-control px-2 text-left hover:bg-hover"
                      onClick={() => run([], [tag])}
                    >
                      <Icon name="close" size={12} className="text-t2" />
                      <span className="truncate" dir="auto">
                        Remove {tag}
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
