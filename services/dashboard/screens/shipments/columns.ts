import { useStored } from '../../parts/hooks/use-stored.ts';
import type { ColumnHead } from '../../parts/table.tsx';
import type { ListItem } from './list/list-pages.ts';
import type { View } from './list-search.ts';

/**
 * The columns of the list in their order. The number is always shown. `track` is the width in the grid, `minPx` the
 * width that the column needs.
 */
export const columns = [
  { key: 'number', name: 'Identifier', className: '', track: '184px', minPx: 184 },
  { key: 'reference', name: 'Reference', className: '', track: 'minmax(96px,1fr)', minPx: 96 },
  { key: 'carrier', name: 'Carrier', className: '', track: 'minmax(96px,1fr)', minPx: 96 },
  { key: 'vessel', name: 'Vessel', className: '', track: 'minmax(110px,1fr)', minPx: 110 },
  { key: 'route', name: 'Route', className: 'pr-2', track: '138px', minPx: 138 },
  { key: 'status', name: 'Status', className: '', track: '118px', minPx: 118 },
  { key: 'departure', name: 'Departure', className: '', track: '68px', minPx: 68 },
  { key: 'eta', name: 'ETA', className: '', track: '58px', minPx: 58 },
  { key: 'delta', name: 'Delay', className: 'justify-end', track: '108px', minPx: 108 },
  { key: 'delivery', name: 'Delivery', className: 'pl-2', track: 'minmax(124px,1.5fr)', minPx: 124 },
  { key: 'event', name: 'Last event', className: 'pl-2', track: 'minmax(128px,1.6fr)', minPx: 128 },
  { key: 'containers', name: 'Containers at risk', className: '', track: 'minmax(112px,0.7fr)', minPx: 112 },
  { key: 'clock', name: 'Free time', className: '', track: 'minmax(124px,0.8fr)', minPx: 124 },
  { key: 'freeDay', name: 'Last free day', className: '', track: '88px', minPx: 88 },
  { key: 'daysLeft', name: 'Days left', className: 'justify-end', track: '62px', minPx: 62 },
  { key: 'cost', name: 'Cost so far', className: 'justify-end', track: 'minmax(96px,0.5fr)', minPx: 96 },
  { key: 'pieces', name: 'Pieces', className: 'justify-end', track: '48px', minPx: 48 },
  { key: 'containerCount', name: 'Containers', className: 'justify-end', track: '72px', minPx: 72 },
  { key: 'tags', name: 'Tags', className: 'pl-2', track: 'minmax(78px,0.8fr)', minPx: 78 },
  { key: 'metadata', name: 'Metadata', className: 'pl-2', track: 'minmax(120px,1.4fr)', minPx: 120 },
  { key: 'assignee', name: 'Assignee', className: 'pl-2', track: 'minmax(92px,0.4fr)', minPx: 92 },
  { key: 'created', name: 'Registered', className: '', track: '72px', minPx: 72 },
  { key: 'seen', name: 'Refreshed', className: 'justify-end', track: '64px', minPx: 64 },
] as const satisfies readonly (ColumnHead & { track: string; minPx: number })[];

export type ColumnKey = (typeof columns)[number]['key'];

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

/** Dropped in this order on a narrow screen. */
const dispensable: readonly ColumnKey[] = [
  'created',
  'metadata',
  'tags',
  'pieces',
  'containerCount',
  'delivery',
  'vessel',
  'departure',
  'assignee',
  'reference',
  'carrier',
  'event',
  'delta',
  'seen',
  'route',
  'eta',
  'status',
  'containers',
];
const gapPx = 10;
const guttersPx = 32;

/** The chosen columns that fit into a width. */
export function columnsThatFit(chosen: readonly ColumnKey[], widthPx: number): readonly ColumnKey[] {
  let shown = columns.filter(({ key }) => key === 'number' || chosen.includes(key));
  for (const key of dispensable) {
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
export type RowExtra = 'metadata' | 'container_status_counts' | 'vehicle';

const extras: Partial<Record<ColumnKey, RowExtra>> = {
  metadata: 'metadata',
  containerCount: 'container_status_counts',
  vessel: 'vehicle',
};

export function extrasOf(chosen: readonly ColumnKey[]): RowExtra[] {
  return columns.flatMap(({ key }) => (chosen.includes(key) && extras[key] !== undefined ? [extras[key]] : []));
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
