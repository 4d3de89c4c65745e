import { identifierKeys } from '#shared/domain/record/shipment.ts';
import type { wireShipment, wireSummary } from '../record/shipment-schemas.ts';

/** A field of an export: `columns` are those of a CSV, as paths into the field; '' is the field itself. */
type ExportFieldRow = {
  /** For the people who choose it. Null: it is always there. */
  name: string | null;
  columns: readonly string[];
  /** Columns that are numbers in a workbook. */
  numeric?: readonly string[];
};

const itself = [''] as const;
const time = ['at', 'local', 'timezone'];
const place = ['name', 'unlocode', 'iata', 'country'];
const within = (names: readonly string[], parts: readonly string[]) =>
  names.flatMap((name) => parts.map((part) => `${name}.${part}`));

/** In the order of the file, which readers may rely on: a new field comes last. */
export const exportFields = {
  shipment_id: { name: null, columns: itself },
  transport_mode: { name: 'Mode', columns: itself },
  carrier: { name: 'Carrier code', columns: itself },
  identifiers: { name: 'Numbers', columns: identifierKeys },
  reference: { name: 'Reference', columns: itself },
  tags: { name: 'Tags', columns: itself },
  status: { name: 'Status', columns: itself },
  status_changed_at: { name: 'Status since', columns: itself },
  origin: { name: 'Origin', columns: place },
  destination: { name: 'Destination', columns: place },
  departure: { name: 'Departure', columns: within(['planned', 'estimated', 'actual'], time) },
  arrival: {
    name: 'Arrival',
    columns: [
      ...within(['planned', 'estimated', 'actual', 'original_estimated'], time),
      ...['delay_hours', 'eta_source'],
    ],
    numeric: ['delay_hours'],
  },
  delay_hours: { name: 'Delay', columns: itself, numeric: itself },
  has_exception: { name: 'Has an exception', columns: itself },
  latest_event: {
    name: 'Last event',
    columns: ['code', 'classifier', ...within(['time'], time), ...within(['location'], place), 'description'],
  },
  tracking: { name: 'Tracking', columns: ['state', 'reason', 'freshness', 'last_succeeded_at', 'next_refresh_at'] },
  created_at: { name: 'Registered', columns: itself },
  updated_at: { name: 'Changed', columns: itself },
  archived_at: { name: 'Archived', columns: itself },
  version: { name: 'Version', columns: itself, numeric: itself },
  carrier_name: { name: 'Carrier', columns: itself },
  eta: { name: 'ETA', columns: [...within(['time'], time), 'kind', 'source'] },
  delay_basis: { name: 'What the delay compares with', columns: itself },
  overdue_hours: { name: 'Overdue', columns: itself, numeric: itself },
  late: { name: 'Late', columns: itself },
  destination_postal_code: { name: 'Postal code', columns: itself },
  metadata: { name: 'Metadata', columns: itself },
  needs_attention: { name: 'Needs attention', columns: itself },
  delivery: {
    name: 'Delivery',
    columns: [
      ...within(['planned', 'estimated', 'actual', 'window.from', 'window.to'], time),
      ...['on_time', 'attempts', 'received_by'],
    ],
    numeric: ['attempts'],
  },
  status_detail: { name: 'Status in detail', columns: itself },
  service: { name: 'Service', columns: ['name'] },
  pieces_count: { name: 'Pieces', columns: itself, numeric: itself },
  weight_kg: { name: 'Weight', columns: itself, numeric: itself },
  free_time: {
    name: 'Free time',
    columns: ['state', 'last_free_day', 'days_left', 'costs', 'unknown_terms'],
    numeric: ['days_left'],
  },
  assignee: { name: 'Assignee', columns: ['name', 'member_id'] },
  notes_count: { name: 'Notes', columns: itself, numeric: itself },
  references: { name: 'All references', columns: itself },
} as const satisfies Record<
  keyof typeof wireSummary.shape | keyof Pick<typeof wireShipment.shape, 'destination_postal_code' | 'metadata'>,
  ExportFieldRow
>;

export type ExportField = Exclude<keyof typeof exportFields, 'shipment_id'>;

const rows = Object.entries(exportFields) as [string, ExportFieldRow][];
const paths = (field: string, columns: readonly string[] = []) =>
  columns.map((column) => (column === '' ? field : `${field}.${column}`));

/** The columns of a CSV, in order: paths into a summary. */
export const csvColumnNames: readonly string[] = rows.flatMap(([field, { columns }]) => paths(field, columns));

/** Columns of a CSV that are numbers in a workbook. */
export const numericColumns: ReadonlySet<string> = new Set(
  rows.flatMap(([field, { numeric }]) => paths(field, numeric)),
);
