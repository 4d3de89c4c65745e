import { useStored } from '../../parts/use-stored.ts';
import { type ColumnKey, columns, usualColumns } from './columns.ts';

/** The columns that were chosen in this browser. */
export function useColumns(): [readonly ColumnKey[], (columns: readonly ColumnKey[]) => void] {
  return useStored('landfall.columns', parseColumns);
}

function parseColumns(stored: unknown): readonly ColumnKey[] {
  if (!Array.isArray(stored)) return usualColumns;
  return columns.map(({ key }) => key).filter((key) => stored.includes(key));
}
