import type { Filter } from './list-plan.ts';
import type { ShipmentRow } from './shipment-row.ts';

const numbersTogether = 50;

/** Lists that hold at least these shipments, by their numbers: an export cannot be asked for by ids. */
export function selectionFilters(rows: readonly Pick<ShipmentRow, 'number' | 'isArchived'>[]): Filter[] {
  return [false, true].flatMap((archived) => {
    const numbers = [
      ...new Set(
        rows.filter((row) => row.isArchived === archived).map(({ number }) => number.value.replaceAll(',', ' ')),
      ),
    ];
    const filters: Filter[] = [];
    for (let at = 0; at < numbers.length; at += numbersTogether) {
      filters.push({ identifier: numbers.slice(at, at + numbersTogether), ...(archived ? { archived } : {}) });
    }
    return filters;
  });
}
