import { useStored } from '../../../parts/use-stored.ts';

/** The columns of the list in their order; the number itself always stands. `track` is the width in the grid, `least` what it needs in px. */
export const columns = [
  { key: 'number', name: 'Identifier', track: '184px', least: 184 },
  { key: 'reference', name: 'Reference', track: 'minmax(86px,0.5fr)', least: 86 },
  { key: 'carrier', name: 'Carrier', track: 'minmax(84px,0.42fr)', least: 84 },
  { key: 'route', name: 'Route', track: '130px', least: 130 },
  { key: 'status', name: 'Status', track: '118px', least: 118 },
  { key: 'eta', name: 'ETA', track: '58px', least: 58 },
  { key: 'delta', name: 'Delta', track: '50px', least: 50 },
  { key: 'event', name: 'Last event', track: 'minmax(128px,1.6fr)', least: 128 },
  { key: 'tags', name: 'Tags', track: 'minmax(70px,0.6fr)', least: 70 },
  { key: 'created', name: 'Registered', track: '72px', least: 72 },
  { key: 'seen', name: 'Seen', track: '44px', least: 44 },
] as const;

export type ColumnKey = (typeof columns)[number]['key'];

export const usualColumns: readonly ColumnKey[] = [
  'number',
  'reference',
  'carrier',
  'route',
  'status',
  'eta',
  'delta',
  'event',
  'seen',
];

/** What gives way first where the screen is narrow. */
const dispensable: readonly ColumnKey[] = [
  'created',
  'tags',
  'reference',
  'carrier',
  'event',
  'delta',
  'seen',
  'route',
  'eta',
];
const gap = 10;
const gutters = 32;

/** The chosen columns that fit. */
export function columnsThatFit(chosen: readonly ColumnKey[], width: number): readonly ColumnKey[] {
  let shown = columns.filter(({ key }) => key === 'number' || chosen.includes(key));
  for (const key of dispensable) {
    const needed = shown.reduce((sum, { least }) => sum + least + gap, gutters - gap);
    if (needed <= width) break;
    shown = shown.filter((column) => column.key !== key);
  }
  return shown.map(({ key }) => key);
}

/** A landscape page of A4 or letter, in px. */
const paperWidth = 950;

/** Those of a printed list; how fresh each was on the screen says nothing on paper. */
export function columnsOnPaper(chosen: readonly ColumnKey[]): readonly ColumnKey[] {
  return columnsThatFit(
    chosen.filter((key) => key !== 'seen'),
    paperWidth,
  );
}

export function gridOf(shown: readonly ColumnKey[]): string {
  return columns
    .filter(({ key }) => shown.includes(key))
    .map(({ track }) => track)
    .join(' ');
}

/** The columns that were chosen in this browser. */
export function useColumns(): [readonly ColumnKey[], (columns: readonly ColumnKey[]) => void] {
  return useStored('landfall.columns', parseColumns);
}

function parseColumns(stored: unknown): readonly ColumnKey[] {
  if (!Array.isArray(stored)) return usualColumns;
  return columns.map(({ key }) => key).filter((key) => stored.includes(key));
}
