import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { peopleQuery } from '../../../api/people-query.ts';
import { Icon } from '../../../parts/icon.tsx';
import { narrowingsOf, plainSearch, without } from '../list-search.ts';
import { filterWords, placeNamesOf, valueWords } from '../list-words.ts';
import type { FilterProps } from './filter-menus.tsx';

type Props = Pick<FilterProps, 'search' | 'change'> & {
  /** Of the list: they name places. */
  rows?: FilterProps['rows'];
};

/** Everything that narrows the list, with buttons to remove it. */
export function ActiveFilters({ search, change, rows = [] }: Props) {
  // The names of members.
  useQuery({ ...peopleQuery, enabled: search.assignee.length > 0 });
  const narrowings = narrowingsOf(search);
  const places = useMemo(() => placeNamesOf(rows), [rows]);
  if (narrowings.length === 0) return null;
  return (
    <ul
      aria-label="Filters"
      className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b bg-sunk px-4 py-1.5 text-label"
    >
      {narrowings.map(({ name, value }) => (
        <li key={`${name} ${value}`} className="flex min-w-0 items-center gap-1">
          <span className="text-t3">{filterWords[name]}</span>
          <span className="max-w-64 truncate font-medium" dir="auto">
            {valueWords(name, value, places)}
          </span>
          <button
            type="button"
            aria-label={`Remove ${filterWords[name]} ${valueWords(name, value, places)}`}
            title="Remove"
            className="grid size-5 place-items-center rounded-badge text-t2 hover:bg-hover hover:text-t1 print:hidden"
            onClick={() => change(without(search, { name, value }))}
          >
            <Icon name="close" size={10} />
          </button>
        </li>
      ))}
      <li className="print:hidden">
        <button
          type="button"
          className="text-accent hover:underline"
          onClick={() => change({ ...plainSearch, view: search.view, sort: search.sort })}
        >
          Remove all
        </button>
      </li>
    </ul>
  );
}
