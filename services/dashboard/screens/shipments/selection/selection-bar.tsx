import { Popover } from '@base-ui/react/popover';
import { type FormEvent, useState } from 'react';
import { Button, buttonClasses } from '../../../parts/button.tsx';
import { useListFocus } from '../../../parts/hooks/use-list-focus.ts';
import { Icon } from '../../../parts/icon.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import type { ListSearch } from '../list-search.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import { ArchiveDialog } from './archive-dialog.tsx';
import { AssignMenu } from './assign-menu.tsx';
import { maxSelected } from './selection.ts';
import { ShareDialog } from './share-dialog.tsx';
import type { BulkAction, PageAction } from './use-bulk.ts';

type Props = {
  rows: readonly ShipmentRow[];
  canWrite: boolean;
  start: (action: BulkAction) => void;
  /** Runs an action row by row from this page. */
  runHere: (action: PageAction) => void;
  clear: () => void;
  search: ListSearch;
  /** Number of shipments in the list, formatted; null while unknown. */
  total: string | null;
  /** All shipments of the list are selected, also those that are not loaded. */
  isWhole: boolean;
  /** Selects them; null: everything is loaded, or not all loaded rows are selected. */
  selectWhole: (() => void) | null;
  /** Number of selected shipments; null while unknown. */
  count: number | null;
  isTagging: boolean;
  setTagging: (isOpen: boolean) => void;
};

/** Actions on the selected shipments. */
export function SelectionBar(props: Props) {
  const { rows, canWrite, start, runHere, clear, search, total, isWhole, selectWhole, count, isTagging, setTagging } =
    props;
  const [asked, setAsked] = useState<'share' | 'archive' | null>(null);
  const isTooLarge = !isWhole && rows.length > maxSelected;
  const isArchived = isWhole ? search.view === 'archived' : rows.every((row) => row.isArchived);
  const reason = !canWrite
    ? 'You have view-only access to this account'
    : isTooLarge
      ? `Select at most ${maxSelected.toLocaleString(numberLocale())} shipments, or the whole list`
      : undefined;
  const isDisabled = reason !== undefined;
  const action = (name: string, act: BulkAction) => (
    <Button disabled={isDisabled} title={reason} onClick={() => start(act)}>
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
        {selectionText(rows.length, props)}
      </span>
      {selectWhole !== null && (
        <button type="button" className="mr-2 -ml-1 text-accent hover:underline" onClick={selectWhole}>
          Select all {total ?? 'shipments'}
        </button>
      )}
      <TagMenu
        rows={rows}
        disabled={isDisabled}
        reason={reason}
        start={start}
        isOpen={isTagging}
        setOpen={setTagging}
      />
      <AssignMenu
        disabled={isDisabled || isWhole}
        reason={reason ?? 'Select rows to assign them'}
        assign={(choice) => runHere({ kind: 'assign', ...choice })}
      />
      {action('Refresh', { kind: 'refresh' })}
      {action('Resume', { kind: 'resume' })}
      {isArchived ? (
        action('Restore', { kind: 'restore' })
      ) : (
        <Button disabled={isDisabled} title={reason} onClick={() => setAsked('archive')}>
          Archive
        </Button>
      )}
      <Button
        disabled={isDisabled || isWhole}
        title={reason ?? (isWhole ? 'Links are created for selected rows only' : undefined)}
        onClick={() => setAsked('share')}
      >
        Share
      </Button>
      <ExportMenu search={search} total={total} selected={isWhole ? [] : rows} />
      <Button kind="quiet" className="ml-auto" onClick={clear}>
        Clear
      </Button>
      {asked === 'share' && (
        <ShareDialog
          count={rows.length}
          create={(choice) => {
            setAsked(null);
            runHere({ kind: 'share', ...choice });
          }}
          close={() => setAsked(null)}
        />
      )}
      {asked === 'archive' && (
        <ArchiveDialog
          count={isWhole ? count : rows.length}
          archive={() => {
            setAsked(null);
            start({ kind: 'archive' });
          }}
          close={() => setAsked(null)}
        />
      )}
    </div>
  );
}

function selectionText(loaded: number, { isWhole, selectWhole, count }: Props): string {
  if (isWhole) return count === null ? 'All selected' : `All ${count.toLocaleString(numberLocale())} selected`;
  const number = loaded.toLocaleString(numberLocale());
  return selectWhole === null ? `${number} selected` : `${number} loaded shipments selected`;
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
    start({ kind: 'tag', add, remove });
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
