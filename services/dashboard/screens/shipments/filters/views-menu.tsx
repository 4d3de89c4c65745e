import { Popover } from '@base-ui/react/popover';
import { type FormEvent, Suspense, useState } from 'react';
import { Button, IconButton } from '../../../parts/button.tsx';
import { useListFocus } from '../../../parts/hooks/use-list-focus.ts';
import { Icon } from '../../../parts/icon.tsx';
import { CheckboxLine } from '../../../parts/inputs/checkbox.tsx';
import { lazyPart } from '../../../parts/lazy-parts.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { useAccount } from '../../session/use-session.ts';
import { type ListSearch, readListSearch } from '../list-search.ts';
import { isSameView, maxNameChars, type SavedView, useSavedViews } from './saved-views.ts';

const AlertPanel = lazyPart(async () => (await import('../../alerts/alert-panel.tsx')).AlertPanel);

/** Opens, saves, shares and removes saved views, and makes alerts of them. */
export function ViewsMenu({ search, change }: { search: ListSearch; change: (search: ListSearch) => void }) {
  const { views, error, save, share, remove } = useSavedViews();
  const [isOpen, setOpen] = useState(false);
  const [alertFor, setAlertFor] = useState<SavedView | null>(null);
  const canShare = useAccount().role !== 'viewer';
  const { noteReason, finalFocus } = useListFocus();
  const current = views.find((saved) => isSameView(saved, search));
  const failure = save.error ?? share.error ?? remove.error ?? error;
  return (
    <>
      <Popover.Root
        open={isOpen}
        onOpenChange={(next, details) => {
          noteReason(next, details);
          setOpen(next);
        }}
      >
        <Popover.Trigger
          aria-label={current === undefined ? 'Saved views' : `Saved views, ${current.name}`}
          title="Saved views"
          className={`inline-flex h-7 min-w-7 items-center justify-center gap-1.5 rounded-control px-1.5 text-body hover:bg-hover hover:text-t1 ${current === undefined ? 'text-t2' : 'text-accent'}`}
        >
          <Icon name="bookmark" size={16} />
          {current !== undefined && <span className="max-w-32 truncate">{current.name}</span>}
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner align="end" sideOffset={4} className="z-50">
            <Popover.Popup
              finalFocus={finalFocus}
              className="w-80 max-w-[calc(100vw-16px)] rounded-control border border-line2 bg-bg py-1 text-body outline-none"
            >
              <Popover.Title className="px-3 pt-1 pb-1.5 text-label text-t3">Saved views</Popover.Title>
              {views.length === 0 && (
                <p className="px-3 pb-2 text-t2">No saved views yet. Set filters, then save them as a view.</p>
              )}
              <ul className="max-h-[50vh] overflow-y-auto">
                {views.map((saved) => (
                  <ViewLine
                    key={saved.id}
                    saved={saved}
                    isCurrent={saved === current}
                    open={() => {
                      change(readListSearch(saved.search));
                      setOpen(false);
                    }}
                    alert={() => {
                      setOpen(false);
                      setAlertFor(saved);
                    }}
                    share={canShare && saved.editable ? (shared) => share.mutate({ id: saved.id, shared }) : null}
                    remove={saved.editable ? () => remove.mutate(saved.id) : null}
                  />
                ))}
              </ul>
              {failure && <ProblemNote error={failure} className="px-3 py-2" />}
              <SaveForm
                canShare={canShare}
                isBusy={save.isPending}
                save={(name, shared) => save.mutate({ name, shared, search }, { onSuccess: () => setOpen(false) })}
              />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      {alertFor !== null && (
        <Suspense fallback={null}>
          <AlertPanel
            subject={{ kind: 'view', id: alertFor.id, name: alertFor.name, followable: alertFor.followable }}
            close={() => setAlertFor(null)}
          />
        </Suspense>
      )}
    </>
  );
}

type LineProps = {
  saved: SavedView;
  isCurrent: boolean;
  open: () => void;
  alert: () => void;
  share: ((shared: boolean) => void) | null;
  remove: (() => void) | null;
};

function ViewLine({ saved, isCurrent, open, alert, share, remove }: LineProps) {
  return (
    <li className="flex items-center pr-1 hover:bg-hover">
      <button
        type="button"
        aria-current={isCurrent || undefined}
        className="h-8 min-w-0 flex-1 truncate pr-1 pl-3 text-left aria-[current=true]:font-medium aria-[current=true]:text-accent"
        onClick={open}
      >
        {saved.name}
      </button>
      <IconButton icon="bell" size={14} label={`Alert me about ${saved.name}`} onClick={alert} />
      {share !== null ? (
        <IconButton
          icon="people"
          size={14}
          aria-pressed={saved.shared}
          className={saved.shared ? 'text-accent!' : ''}
          label={saved.shared ? `Stop sharing ${saved.name}` : `Share ${saved.name} with the account`}
          onClick={() => share(!saved.shared)}
        />
      ) : (
        saved.shared && (
          <span title="Shared with the account" className="grid size-7 place-items-center text-t3">
            <Icon name="people" size={14} />
            <span className="sr-only">Shared with the account</span>
          </span>
        )
      )}
      {remove !== null && <IconButton icon="close" size={12} label={`Remove ${saved.name}`} onClick={remove} />}
    </li>
  );
}

type FormProps = { canShare: boolean; isBusy: boolean; save: (name: string, shared: boolean) => void };

function SaveForm({ canShare, isBusy, save }: FormProps) {
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') save(name.trim().slice(0, maxNameChars), isShared);
  };
  return (
    <form onSubmit={submit} className="mt-1 flex flex-col gap-2 border-line border-t p-2">
      <div className="flex gap-2">
        <input
          aria-label="View name"
          placeholder="View name"
          value={name}
          maxLength={maxNameChars}
          onChange={(event) => setName(event.target.value)}
          className="h-7 min-w-0 flex-1 rounded-control border border-line2 bg-bg px-2 placeholder:text-t3"
        />
        <Button type="submit" disabled={name.trim() === ''} busy={isBusy}>
          Save
        </Button>
      </div>
      {canShare && (
        <CheckboxLine checked={isShared} onChecked={setShared}>
          Share with the account
        </CheckboxLine>
      )}
    </form>
  );
}
