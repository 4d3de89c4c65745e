import { Menu } from '@base-ui/react/menu';
import { buttonClasses } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { menuClasses, menuItemClasses } from '../../shell/menu-classes.ts';
import { type ListSearch, type Sort, sorts } from './list-search.ts';
import { sortWords } from './list-words.ts';

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
