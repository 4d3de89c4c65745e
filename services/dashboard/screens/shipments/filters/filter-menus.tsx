import { Combobox } from '@base-ui/react/combobox';
import { Popover } from '@base-ui/react/popover';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { carriers } from '#shared/domain/carriers/carrier-catalogue.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { peopleQuery } from '../../../api/people-query.ts';
import { useListFocus } from '../../../parts/hooks/use-list-focus.ts';
import { Icon } from '../../../parts/icon.tsx';
import { SearchMenuPopup } from '../../../parts/inputs/search-menu.tsx';
import { type ListFilter, listFilterOf, listFilters } from '../list-filters.ts';
import type { ListSearch } from '../list-search.ts';
import { filterWords, type PlaceNames, placeNamesOf, valueWords } from '../list-words.ts';
import type { ShipmentRow } from '../shipment-row.ts';

export type FilterProps = {
  search: ListSearch;
  change: (search: ListSearch) => void;
  /** Number of shipments in the list, formatted; null while unknown. */
  total: string | null;
  rows: readonly ShipmentRow[];
};

type Props = Omit<FilterProps, 'total'> & { isSpread?: boolean };

const maxSuggestionRows = 200;
const listedMenus = listFilters.filter((name) => listFilterOf(name).isInMenu);
const moreMenus: readonly ListFilter[] = ['origin', 'assignee', ...listedMenus];
const placeHint = 'Code, country or name';

/** The filters with values. Places and tags are suggested from the rows of the list. */
export function FilterMenus({ search, rows, change, isSpread = false }: Props) {
  const places = useMemo(() => placeNamesOf(rows), [rows]);
  const menu = (name: ListFilter, options: readonly string[], anyText?: string) => (
    <FilterMenu
      key={name}
      name={name}
      title={filterWords[name]}
      options={options}
      chosen={search[name]}
      choose={(values) => change({ ...search, [name]: values, peek: null })}
      places={places}
      {...(anyText === undefined ? {} : { anyText })}
    />
  );
  const { data: people = [] } = useQuery(peopleQuery);
  const suggested = (of: (row: ShipmentRow) => readonly (string | null | undefined)[]) =>
    [...new Set(rows.slice(0, maxSuggestionRows).flatMap(of))]
      .filter((value): value is string => typeof value === 'string' && !value.includes(','))
      .sort();
  const more = (
    <>
      {menu(
        'origin',
        suggested(({ origin }) => [origin?.code ?? origin?.name]),
        placeHint,
      )}
      {menu('assignee', ['me', 'none', ...people.map(({ member_id: id }) => id)])}
      {listedMenus.map((name) => menu(name, listFilterOf(name).values ?? []))}
    </>
  );
  return (
    <>
      {menu('mode', transportModes)}
      {menu(
        'carrier',
        carriers.map(({ code }) => code),
      )}
      {menu(
        'destination',
        suggested(({ destination }) => [destination?.code ?? destination?.name]),
        placeHint,
      )}
      {menu(
        'tag',
        suggested(({ tags }) => tags),
        'Tag',
      )}
      {isSpread ? more : <MoreFilters isSet={moreMenus.some((name) => search[name].length > 0)}>{more}</MoreFilters>}
    </>
  );
}

function MoreFilters({ isSet, children }: { isSet: boolean; children: ReactNode }) {
  const { noteReason, finalFocus } = useListFocus();
  return (
    <Popover.Root onOpenChange={noteReason}>
      <Popover.Trigger
        aria-label={`More filters: ${moreMenus.map((name) => filterWords[name].toLowerCase()).join(', ')}`}
        title="More filters"
        className={`grid size-[26px] shrink-0 place-items-center rounded-chip border hover:bg-hover ${isSet ? 'border-accent bg-sel text-accent' : 'border-line2 border-dashed text-t2'}`}
      >
        <Icon name="filter" size={12} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className="z-40">
          <Popover.Popup
            finalFocus={finalFocus}
            aria-label="More filters"
            className="flex gap-2 rounded-control border border-line2 bg-bg p-2 outline-none"
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

type MenuProps = {
  name: ListFilter;
  title: string;
  /** The choices, or suggestions for a filter that accepts any text. */
  options: readonly string[];
  chosen: readonly string[];
  choose: (values: readonly string[]) => void;
  places?: PlaceNames;
  /** Accepts any text; the placeholder says which. */
  anyText?: string;
};

/** A filter chosen from a searchable list. */
export function FilterMenu({ name, title, options, chosen, choose, places, anyText }: MenuProps) {
  const [typed, setTyped] = useState('');
  const { noteReason, finalFocus } = useListFocus();
  const text = typed.trim();
  const isNew =
    anyText !== undefined &&
    text.length >= 2 &&
    ![...options, ...chosen].some((one) => one.toLowerCase() === text.toLowerCase());
  const items = [...new Set([...chosen, ...options, ...(isNew ? [text] : [])])];
  return (
    <Combobox.Root
      multiple
      items={items}
      value={[...chosen]}
      onValueChange={choose}
      inputValue={typed}
      onInputValueChange={setTyped}
      itemToStringLabel={(value: string) => `${valueWords(name, value, places)} ${value}`}
      onOpenChange={(isOpen, details) => {
        noteReason(isOpen, details);
        if (!isOpen) setTyped('');
      }}
      autoHighlight
    >
      <Combobox.Trigger
        aria-label={`${title}, ${chosen.length === 0 ? 'no filter' : chosen.map((value) => valueWords(name, value, places)).join(', ')}`}
        className={`inline-flex h-[26px] shrink-0 items-center gap-1.5 whitespace-nowrap rounded-chip border px-2.5 text-body text-t2 hover:bg-hover max-sm:h-[30px] max-sm:rounded-[15px] ${chosen.length === 0 ? 'border-line2 border-dashed' : 'border-accent bg-sel text-t1'}`}
      >
        <Icon name="plus" size={12} />
        {title}
        {chosen.length > 0 && <span className="text-accent tabular-nums">{chosen.length}</span>}
      </Combobox.Trigger>
      <SearchMenuPopup
        title={title}
        placeholder={anyText ?? `Search ${title.toLowerCase()}`}
        empty={anyText === undefined ? 'No results' : 'Type a code or a name'}
        finalFocus={finalFocus}
        choice={(value) => (
          <>
            <span className="truncate" dir="auto">
              {valueWords(name, value, places)}
            </span>
            {(name === 'carrier' || places?.has(value)) && (
              <span className="ml-auto font-mono text-number text-t3">{value}</span>
            )}
          </>
        )}
      />
    </Combobox.Root>
  );
}
