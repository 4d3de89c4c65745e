import { Popover } from '@base-ui/react/popover';
import { type FormEvent, useState } from 'react';
import { Button, buttonClasses, IconButton } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { MenuChoices, PopupMenu } from '../../../parts/menu.tsx';
import { type ListSearch, readListSearch, sorts } from '../list-search.ts';
import { sortNames } from '../list-words.ts';
import { isSameView, maxNameChars, useSavedViews } from './saved-views.ts';

/** Opens, saves and removes saved views. */
export function ViewsMenu({ search, change }: { search: ListSearch; change: (search: ListSearch) => void }) {
  const { views, save, remove } = useSavedViews();
  const [name, setName] = useState('');
  const [isOpen, setOpen] = useState(false);
  const current = views.find((saved) => isSameView(saved, search));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    save(name.trim().slice(0, maxNameChars), search);
    setName('');
    setOpen(false);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
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
          <Popover.Popup className="w-72 rounded-control border border-line2 bg-bg py-1 text-body outline-none">
            <Popover.Title className="px-3 pt-1 pb-1.5 text-label text-t3">Saved views, in this browser</Popover.Title>
            {views.length === 0 && (
              <p className="px-3 pb-2 text-t2">No saved views yet. Set filters, then save them as a view.</p>
            )}
            <ul>
              {views.map((saved) => (
                <li key={saved.name} className="flex items-center hover:bg-hover">
                  <button
                    type="button"
                    aria-current={saved === current || undefined}
                    className="h-8 min-w-0 flex-1 truncate px-3 text-left aria-[current=true]:font-medium aria-[current=true]:text-accent"
                    onClick={() => {
                      change(readListSearch(saved.search));
                      setOpen(false);
                    }}
                  >
                    {saved.name}
                  </button>
                  <IconButton
                    icon="close"
                    size={12}
                    label={`Remove ${saved.name}`}
                    onClick={() => remove(saved.name)}
                  />
                </li>
              ))}
            </ul>
            <form onSubmit={submit} className="mt-1 flex gap-2 border-line border-t p-2">
              <input
                aria-label="View name"
                placeholder="View name"
                value={name}
                maxLength={maxNameChars}
                onChange={(event) => setName(event.target.value)}
                className="h-7 min-w-0 flex-1 rounded-control border border-line2 bg-bg px-2 placeholder:text-t3"
              />
              <Button type="submit" disabled={name.trim() === ''}>
                Save
              </Button>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

export function SortMenu({ search, change }: { search: ListSearch; change: (search: ListSearch) => void }) {
  return (
    <PopupMenu
      label={`Sort: ${sortNames[search.sort]}`}
      className={buttonClasses()}
      trigger={
        <>
          <Icon name="sort" size={14} />
          {sortNames[search.sort]}
        </>
      }
    >
      <MenuChoices
        value={search.sort}
        choose={(sort) => change({ ...search, sort })}
        choices={sorts.map((sort) => ({ value: sort, name: sortNames[sort] }))}
      />
    </PopupMenu>
  );
}
