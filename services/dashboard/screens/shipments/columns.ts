import { useStored } from '../../parts/hooks/use-stored.ts';
import { type ColumnKey, columnRows, columns, type RowExtra } from './column-table.ts';
import type { ListItem } from './list/list-pages.ts';
import type { View } from './list-search.ts';

export const defaultColumns: readonly ColumnKey[] = [
  'number',
  'reference',
  'carrier',
  'route',
  'status',
  'eta',
  'delta',
  'delivery',
  'event',
  'assignee',
  'seen',
];

/** The columns of the list of free time at risk. */
export const freeTimeColumns: readonly ColumnKey[] = [
  'number',
  'reference',
  'carrier',
  'status',
  'containers',
  'clock',
  'freeDay',
  'daysLeft',
  'cost',
  'seen',
];

/** The columns that a narrow screen drops, in this order. */
const dispensable = columnRows
  .filter(({ drop }) => drop !== undefined)
  .sort((left, right) => (left.drop ?? 0) - (right.drop ?? 0));
const gapPx = 10;
const guttersPx = 32;

/** The chosen columns that fit into a width. */
export function columnsThatFit(chosen: readonly ColumnKey[], widthPx: number): readonly ColumnKey[] {
  let shown = columns.filter(({ key }) => key === 'number' || chosen.includes(key));
  for (const { key } of dispensable) {
    const neededPx = shown.reduce((sum, { minPx }) => sum + minPx + gapPx, guttersPx - gapPx);
    if (neededPx <= widthPx) break;
    shown = shown.filter((column) => column.key !== key);
  }
  return shown.map(({ key }) => key);
}

/** The chosen columns without those that have nothing to show: only some carriers report on the delivery. */
export function columnsInUse(chosen: readonly ColumnKey[], items: readonly ListItem[]): readonly ColumnKey[] {
  const isUsed: Partial<Record<ColumnKey, boolean>> = {
    delivery: items.some((item) => item.kind === 'row' && (item.row.window !== null || item.row.detail !== null)),
    assignee: items.some((item) => item.kind === 'row' && item.row.assignee !== null),
  };
  return chosen.filter((key) => isUsed[key] !== false);
}

/** The parts of a row that a list has only on request, for the columns that show them. */
export function extrasOf(chosen: readonly ColumnKey[]): RowExtra[] {
  return columnRows.flatMap(({ key, extra }) => (chosen.includes(key) && extra !== undefined ? [extra] : []));
}

/** A landscape page of A4 or letter. */
const paperWidthPx = 950;

/** The columns of a printed list. Freshness on the screen means nothing on paper. */
export function columnsOnPaper(chosen: readonly ColumnKey[]): readonly ColumnKey[] {
  return columnsThatFit(
    chosen.filter((key) => key !== 'seen'),
    paperWidthPx,
  );
}

export function gridOf(shown: readonly ColumnKey[]): string {
  return columns
    .filter(({ key }) => shown.includes(key))
    .map(({ track }) => track)
    .join(' ');
}

/** The columns chosen in this browser. The list of free time has its own, which can't be chosen. */
export function useColumns(view: View): [readonly ColumnKey[], ((columns: readonly ColumnKey[]) => void) | null] {
  const [columns, setColumns] = useStored('landfall.columns', parseColumns);
  return view === 'free_time' ? [freeTimeColumns, null] : [columns, setColumns];
}

function parseColumns(stored: unknown): readonly ColumnKey[] {
  if (!Array.isArray(stored)) return defaultColumns;
  return columns.map(({ key }) => key).filter((key) => stored.includes(key));
}
