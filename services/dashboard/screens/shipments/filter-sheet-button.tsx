import { lazy, useState } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { OnceOpen } from '../../parts/once-open.tsx';
import type { FilterBarProps } from './filter-bar.tsx';
import { narrowingsOf } from './list-search.ts';

const FilterSheet = lazy(async () => ({ default: (await import('./filter-sheet.tsx')).FilterSheet }));

/** On a phone the filters are behind this. */
export function FilterSheetButton(props: FilterBarProps) {
  const [isOpen, setOpen] = useState(false);
  const narrowings = narrowingsOf(props.search).length;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={narrowings === 0 ? 'Filters and order' : `Filters and order, ${narrowings} set`}
        onClick={() => setOpen(true)}
        className={`grid h-[30px] w-8 place-items-center rounded-[15px] border ${narrowings === 0 ? 'border-line2 text-t2' : 'border-accent bg-sel text-accent'}`}
      >
        <Icon name="filter" size={14} />
      </button>
      <OnceOpen isOpen={isOpen}>
        <FilterSheet {...props} isOpen={isOpen} setOpen={setOpen} />
      </OnceOpen>
    </>
  );
}
