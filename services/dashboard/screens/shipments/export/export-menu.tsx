import { Suspense, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { lazyPart } from '../../../parts/lazy-parts.tsx';
import { dayOf, planOf } from '../list-plan.ts';
import type { ListSearch } from '../list-search.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import { selectionFilters } from './export-file.ts';
import { startExport } from './export-note.tsx';

const ExportDialog = lazyPart(async () => (await import('./export-dialog.tsx')).ExportDialog);

type Props = {
  search: ListSearch;
  /** Number of shipments in the list, formatted; null while unknown. */
  total: string | null;
  /** Offered in addition to the whole list. */
  selected?: readonly ShipmentRow[];
};

/** A larger selection is found faster by reading the whole list. */
const maxByNumber = 500;

/** Saves the list, or the selected shipments, as a file. */
export function ExportMenu({ search, total, selected = [] }: Props) {
  const [isOpen, setOpen] = useState(false);
  const today = dayOf(useNow());
  const filtersOf = (isPart: boolean) => {
    const { leads, chain } = planOf(search, today);
    const list = [...leads, ...chain];
    if (!isPart) return { filters: list };
    const byNumber = selectionFilters(selected);
    // The second way finds what the first misses, such as a number that is written differently.
    return {
      filters: selected.length > maxByNumber ? [...list, ...byNumber] : [...byNumber, ...list],
      only: new Set(selected.map(({ id }) => id)),
    };
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Export</Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ExportDialog
            view={search.view}
            total={total}
            selected={selected.length}
            start={({ isPart, format, fields }) => {
              setOpen(false);
              void startExport({ ...filtersOf(isPart), format, ...(fields === null ? {} : { fields }) });
            }}
            close={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
