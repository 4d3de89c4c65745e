import { type ExportField, exportFields } from '#shared/contract/lists/export-fields.ts';
import type { ColumnKey } from '../columns.ts';

/** Fields of an export that people choose, in the order of the file. The shipment ID is always there. */
export const exportColumns = Object.entries(exportFields).flatMap(([field, { name }]) =>
  name === null ? [] : [{ field: field as ExportField, name }],
);

const fieldsOfColumn: Record<ColumnKey, readonly ExportField[]> = {
  number: ['identifiers'],
  reference: ['reference'],
  carrier: ['carrier', 'carrier_name'],
  route: ['origin', 'destination'],
  status: ['status'],
  eta: ['eta'],
  delta: ['delay_hours', 'overdue_hours'],
  delivery: ['delivery'],
  event: ['latest_event'],
  containers: ['identifiers'],
  containerCount: [],
  vessel: ['latest_event'],
  departure: ['departure'],
  metadata: ['metadata'],
  clock: ['free_time'],
  freeDay: ['free_time'],
  daysLeft: ['free_time'],
  cost: ['free_time'],
  pieces: ['pieces_count'],
  tags: ['tags'],
  assignee: ['assignee'],
  created: ['created_at'],
  seen: ['tracking'],
};

/** The fields that the columns of the list show. */
export function fieldsOfList(columns: readonly ColumnKey[]): ExportField[] {
  const shown = new Set(columns.flatMap((column) => fieldsOfColumn[column]));
  return exportColumns.map(({ field }) => field).filter((field) => shown.has(field));
}
