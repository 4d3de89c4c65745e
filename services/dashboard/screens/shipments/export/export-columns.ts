import { type ExportField, exportFields } from '#shared/contract/lists/export-fields.ts';
import { type ColumnKey, columnRows } from '../column-table.ts';

/** Fields of an export that people choose, in the order of the file. The shipment ID is always there. */
export const exportColumns = Object.entries(exportFields).flatMap(([field, { name }]) =>
  name === null ? [] : [{ field: field as ExportField, name }],
);

/** The fields that the columns of the list show, in the order of the file. */
export function fieldsOfList(columns: readonly ColumnKey[]): ExportField[] {
  const chosen = columnRows.filter(({ key }) => columns.includes(key));
  const shown = new Set(chosen.flatMap(({ fields }) => fields));
  const inOrder = exportColumns.map(({ field }) => field);
  return inOrder.filter((field) => shown.has(field));
}
