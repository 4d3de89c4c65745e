import { buttonClasses } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { MenuChoices, PopupMenu } from '../../../parts/inputs/menu.tsx';
import { type ListSearch, sorts } from '../list-search.ts';
import { sortNames } from '../list-words.ts';

export function SortMenu({ search, change }: { search: ListSearch; change: (search: ListSearch) => void }) {
  return (
    <PopupMenu
      isOfList
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
