import { Dialog } from '@base-ui/react/dialog';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { ExportMenu } from './export-menu.tsx';
import type { FilterBarProps } from './filter-bar.tsx';
import { FilterMenus } from './filter-menus.tsx';
import { SortMenu } from './sort-menu.tsx';
import { ViewsMenu } from './views-menu.tsx';

/** The filters of a phone, from below. */
export function FilterSheet({ search, change, rows, total, narrowings }: FilterBarProps & { narrowings: number }) {
  return (
    <Dialog.Root>
      <Dialog.Trigger
        aria-label={narrowings === 0 ? 'Filters and order' : `Filters and order, ${narrowings} set`}
        className={`grid h-[30px] w-8 place-items-center rounded-[15px] border ${narrowings === 0 ? 'border-line2 text-t2' : 'border-accent bg-sel text-accent'}`}
      >
        <Icon name="filter" size={14} />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="fixed inset-x-0 bottom-0 z-50 flex flex-col gap-4 border-line2 border-t bg-bg p-4 pb-6 outline-none">
          <Dialog.Title className="font-semibold text-section">Filters and order</Dialog.Title>
          <div className="flex flex-wrap gap-2">
            <FilterMenus isSpread search={search} rows={rows} change={change} />
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <SortMenu search={search} change={change} />
            <ExportMenu search={search} total={total} />
            <ViewsMenu search={search} change={change} />
          </div>
          <Dialog.Close render={<Button kind="primary" />}>Show the list</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
