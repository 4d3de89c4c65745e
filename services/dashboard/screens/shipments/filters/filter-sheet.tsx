import { Dialog } from '@base-ui/react/dialog';
import { Button } from '../../../parts/button.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { FilterMenus, type FilterProps } from './filter-menus.tsx';
import { SortMenu } from './list-menus.tsx';
import { ViewsMenu } from './views-menu.tsx';

type Props = FilterProps & { isOpen: boolean; setOpen: (isOpen: boolean) => void };

/** The filters on a phone, as a sheet from below. */
export function FilterSheet({ search, change, rows, total, isOpen, setOpen }: Props) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="fixed inset-x-0 bottom-0 z-50 flex flex-col gap-4 border-line2 border-t bg-bg p-4 pb-6 outline-none">
          <Dialog.Title className="font-semibold text-section">Filters and sort order</Dialog.Title>
          <div className="flex flex-wrap gap-2">
            <FilterMenus isSpread search={search} rows={rows} change={change} />
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <SortMenu search={search} change={change} />
            <ExportMenu search={search} total={total} />
            <ViewsMenu search={search} change={change} />
          </div>
          <Dialog.Close render={<Button kind="primary" />}>Show results</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
