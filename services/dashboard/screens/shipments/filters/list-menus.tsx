import { Menu } from '@base-ui/react/menu';
import { Popover } from '@base-ui/react/popover';
import { type FormEvent, useState } from 'react';
import { Button, buttonClasses, IconButton } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { menuClasses, menuItemClasses } from '../../../parts/menu.ts';
import { type ListSearch, readListSearch, type Sort, sorts } from '../list-search.ts';
import { sortWords } from '../list-words.ts';
import { isSameView, longestName, useSavedViews } from './saved-views.ts';

/** Lists under names of one's own: open one, keep this one, take one away. */
export function ViewsMenu({ search, change }: { search: ListSearch; change: (search: ListSearch) => void }) {
  const { views, save, remove } = useSavedViews();
  const [name, setName] = useState('');
  const [isOpen, setOpen] = useState(false);
  const current = views.find((saved) => isSameView(saved, search));
  const keep = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    save(name.trim().slice(0, longestName), search);
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
              <p className="px-3 pb-2 text-t2">None yet. Choose filters, then give this list a name.</p>
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
            <form onSubmit={keep} className="mt-1 flex gap-2 border-line border-t p-2">
              <input
                aria-label="Name of this view"
                placeholder="Name this list"
                value={name}
                maxLength={longestName}
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
    <Menu.Root>
      <Menu.Trigger className={buttonClasses()} aria-label={`Order: ${sortWords[search.sort]}`}>
        <Icon name="sort" size={14} />
        {sortWords[search.sort]}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className="z-50">
          <Menu.Popup className={menuClasses}>
            <Menu.RadioGroup value={search.sort} onValueChange={(sort: Sort) => change({ ...search, sort })}>
              {sorts.map((sort) => (
                <Menu.RadioItem key={sort} value={sort} className={menuItemClasses} closeOnClick>
                  {sortWords[sort]}
                  <Menu.RadioItemIndicator className="ml-auto text-accent">
                    <Icon name="check" size={12} />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
