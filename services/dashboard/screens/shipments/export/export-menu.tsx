import { Menu } from '@base-ui/react/menu';
import { buttonClasses } from '../../../parts/button.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { menuItemClasses, PopupMenu } from '../../../parts/menu.tsx';
import { dayOf, planOf } from '../list-plan.ts';
import type { ListSearch } from '../list-search.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import { type ExportFormat, type ExportJob, selectionFilters } from './export-file.ts';
import { startExport } from './export-note.tsx';

type Props = {
  search: ListSearch;
  /** How many shipments the list has, formatted; null while unknown. */
  total: string | null;
  /** Offered in addition to the whole list. */
  selected?: readonly ShipmentRow[];
};

/** A larger selection is found faster by reading the whole list. */
const maxByNumber = 500;

/** Saves the list, or the selected shipments, as a file. */
export function ExportMenu({ search, total, selected = [] }: Props) {
  const today = dayOf(useNow());
  const { leads, chain } = planOf(search, today);
  const list = [...leads, ...chain];
  const whole = (): Omit<ExportJob, 'format'> => ({ filters: list });
  const part = (): Omit<ExportJob, 'format'> => {
    const byNumber = selectionFilters(selected);
    // The second way finds what the first misses, such as a number that is written differently.
    return {
      filters: selected.length > maxByNumber ? [...list, ...byNumber] : [...byNumber, ...list],
      only: new Set(selected.map(({ id }) => id)),
    };
  };
  return (
    <PopupMenu className={buttonClasses()} trigger="Export">
      {selected.length > 0 && (
        <Formats name={`Selected shipments (${selected.length.toLocaleString('en')})`} job={part} />
      )}
      <Formats name={total === null ? 'Whole list' : `Whole list (${total})`} job={whole} />
    </PopupMenu>
  );
}

const formats: readonly { format: ExportFormat; name: string; purpose: string }[] = [
  { format: 'csv', name: 'CSV', purpose: 'for spreadsheets' },
  { format: 'ndjson', name: 'JSON lines', purpose: 'for programs' },
];

function Formats({ name, job }: { name: string; job: () => Omit<ExportJob, 'format'> }) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="px-3 pt-2 pb-1 text-label text-t3">{name}</Menu.GroupLabel>
      {formats.map(({ format, name: formatName, purpose }) => (
        <Menu.Item key={format} className={menuItemClasses} onClick={() => startExport({ ...job(), format })}>
          {formatName} <span className="ml-auto text-label text-t3">{purpose}</span>
        </Menu.Item>
      ))}
    </Menu.Group>
  );
}
