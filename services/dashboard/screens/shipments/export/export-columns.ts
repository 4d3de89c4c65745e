import type { ColumnKey } from '../columns.ts';

/** Fields of an export that people choose, in the order of the file. The shipment ID is always there. */
export const exportColumns = [
  { field: 'transport_mode', name: 'Mode' },
  { field: 'carrier', name: 'Carrier code' },
  { field: 'identifiers', name: 'Numbers' },
  { field: 'reference', name: 'Reference' },
  { field: 'tags', name: 'Tags' },
  { field: 'status', name: 'Status' },
  { field: 'status_changed_at', name: 'Status since' },
  { field: 'origin', name: 'Origin' },
  { field: 'destination', name: 'Destination' },
  { field: 'departure', name: 'Departure' },
  { field: 'arrival', name: 'Arrival' },
  { field: 'delay_hours', name: 'Delay' },
  { field: 'has_exception', name: 'Has an exception' },
  { field: 'latest_event', name: 'Last event' },
  { field: 'tracking', name: 'Tracking' },
  { field: 'created_at', name: 'Registered' },
  { field: 'updated_at', name: 'Changed' },
  { field: 'archived_at', name: 'Archived' },
  { field: 'version', name: 'Version' },
  { field: 'carrier_name', name: 'Carrier' },
  { field: 'eta', name: 'ETA' },
  { field: 'delay_basis', name: 'What the delay compares with' },
  { field: 'overdue_hours', name: 'Overdue' },
  { field: 'late', name: 'Late' },
  { field: 'destination_postal_code', name: 'Postal code' },
  { field: 'metadata', name: 'Metadata' },
  { field: 'needs_attention', name: 'Needs attention' },
  { field: 'delivery', name: 'Delivery' },
  { field: 'status_detail', name: 'Status in detail' },
  { field: 'service', name: 'Service' },
  { field: 'pieces_count', name: 'Pieces' },
  { field: 'weight_kg', name: 'Weight' },
  { field: 'free_time', name: 'Free time' },
  { field: 'assignee', name: 'Assignee' },
  { field: 'notes_count', name: 'Notes' },
] as const;

export type ExportField = (typeof exportColumns)[number]['field'];

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

/** Columns of a CSV that are numbers in a workbook. */
export const numericColumns: ReadonlySet<string> = new Set([
  'arrival.delay_hours',
  'delay_hours',
  'overdue_hours',
  'version',
  'delivery.attempts',
  'pieces_count',
  'notes_count',
  'weight_kg',
  'free_time.days_left',
]);
