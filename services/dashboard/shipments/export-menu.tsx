import { Menu } from '@base-ui/react/menu';
import { buttonLook } from '../parts/button.tsx';
import { useNow } from '../parts/use-now.ts';
import { menuItemLook, menuLook } from '../shell/menu-look.ts';
import { dayOf, planOf, viewFilter } from './list-plan.ts';
import type { ListSearch } from './list-search.ts';
import { startExport } from './running-export.ts';

/** The whole list as a file, however long. */
export function ExportMenu({ search }: { search: ListSearch }) {
  const today = dayOf(useNow());
  const run = (format: 'csv' | 'ndjson') => {
    const plan = planOf(search, today);
    const filters = plan.grouped ? [{ ...viewFilter(search, today), sort: search.sort }] : [...plan.leads, ...plan.chain];
    startExport({ format, filters });
  };
  return (
    <Menu.Root>
      <Menu.Trigger className={buttonLook()}>Export</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className="z-50">
          <Menu.Popup className={menuLook}>
            <Menu.Item className={menuItemLook} onClick={() => run('csv')}>
              CSV <span className="ml-auto text-label text-t3">for spreadsheets</span>
            </Menu.Item>
            <Menu.Item className={menuItemLook} onClick={() => run('ndjson')}>
              JSON lines <span className="ml-auto text-label text-t3">for programs</span>
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
