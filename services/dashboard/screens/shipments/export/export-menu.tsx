import { Menu } from '@base-ui/react/menu';
import { buttonClasses } from '../../../parts/button.tsx';
import { menuClasses, menuItemClasses } from '../../../parts/menu.ts';
import { useNow } from '../../../parts/use-now.ts';
import { dayOf, planOf } from '../list-plan.ts';
import type { ListSearch } from '../list-search.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import { type ExportFormat, type ExportJob, selectionFilters } from './export-file.ts';
import { startExport } from './export-note.tsx';

type Props = {
  search: ListSearch;
  /** How many the list has, as people read it; null while that is not known. */
  total: string | null;
  /** Offered besides the whole list. */
  selected?: readonly ShipmentRow[];
};

/** More than these are looked for in the list. */
const mostByNumber = 500;

/** The list as a file, however long, or what is selected of it. */
export function ExportMenu({ search, total, selected = [] }: Props) {
  const today = dayOf(useNow());
  const { leads, chain } = planOf(search, today);
  const list = [...leads, ...chain];
  const whole = (): Omit<ExportJob, 'format'> => ({ filters: list });
  const part = (): Omit<ExportJob, 'format'> => {
    const byNumber = selectionFilters(selected);
    // Whichever way is shorter; what it does not give, as a number that is written in another way, comes by the other one.
    return {
      filters: selected.length > mostByNumber ? [...list, ...byNumber] : [...byNumber, ...list],
      only: new Set(selected.map(({ id }) => id)),
    };
  };
  return (
    <Menu.Root>
      <Menu.Trigger className={buttonClasses()}>Export</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className="z-50">
          <Menu.Popup className={menuClasses}>
            {selected.length > 0 && (
              <Formats name={`The ${selected.length.toLocaleString('en')} selected`} job={part} />
            )}
            <Formats name={total === null ? 'All in this list' : `All ${total} in this list`} job={whole} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

const formats: readonly { format: ExportFormat; name: string; words: string }[] = [
  { format: 'csv', name: 'CSV', words: 'for spreadsheets' },
  { format: 'ndjson', name: 'JSON lines', words: 'for programs' },
];

function Formats({ name, job }: { name: string; job: () => Omit<ExportJob, 'format'> }) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="px-3 pt-2 pb-1 text-label text-t3">{name}</Menu.GroupLabel>
      {formats.map(({ format, name: formatName, words }) => (
        <Menu.Item key={format} className={menuItemClasses} onClick={() => startExport({ ...job(), format })}>
          {formatName} <span className="ml-auto text-label text-t3">{words}</span>
        </Menu.Item>
      ))}
    </Menu.Group>
  );
}
