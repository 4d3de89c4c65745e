import { Popover } from '@base-ui/react/popover';
import type { ReactNode } from 'react';
import { carriers } from '#shared/domain/carriers/carrier-catalogue.ts';
import { trackingStates } from '#shared/domain/shipments/shipment.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { Icon } from '../../parts/icon.tsx';
import { FilterMenu } from './filter-menu.tsx';
import type { ListFilter, ListSearch } from './list-search.ts';
import { filterWords } from './list-words.ts';
import type { ShipmentRow } from './shipment-row.ts';

type Props = {
  search: ListSearch;
  rows: readonly ShipmentRow[];
  change: (search: ListSearch) => void;
  isSpread?: boolean;
};

const mostSuggested = 200;
const placeHint = 'Code, country or name';

/** The filters that hold values. Places and tags are suggested from what is in the list. */
export function FilterMenus({ search, rows, change, isSpread = false }: Props) {
  const menu = (name: ListFilter, options: readonly string[], anyText?: string) => (
    <FilterMenu
      key={name}
      name={name}
      title={filterWords[name]}
      options={options}
      chosen={search[name]}
      choose={(values) => change({ ...search, [name]: values, peek: null })}
      {...(anyText === undefined ? {} : { anyText })}
    />
  );
  const suggested = (of: (row: ShipmentRow) => readonly (string | null | undefined)[]) =>
    [...new Set(rows.slice(0, mostSuggested).flatMap(of))]
      .filter((value): value is string => typeof value === 'string' && !value.includes(','))
      .sort();
  const more = (
    <>
      {menu(
        'origin',
        suggested(({ origin }) => [origin?.code ?? origin?.name]),
        placeHint,
      )}
      {menu('state', trackingStates)}
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
      {isSpread ? more : <MoreFilters isSet={search.origin.length + search.state.length > 0}>{more}</MoreFilters>}
    </>
  );
}

function MoreFilters({ isSet, children }: { isSet: boolean; children: ReactNode }) {
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label="More filters: origin, state"
        title="More filters"
        className={`grid size-[26px] shrink-0 place-items-center rounded-chip border hover:bg-hover ${isSet ? 'border-accent bg-sel text-accent' : 'border-line2 border-dashed text-t2'}`}
      >
        <Icon name="filter" size={12} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className="z-40">
          <Popover.Popup
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
