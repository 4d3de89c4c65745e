import type { ExportField } from '#shared/contract/lists/export-fields.ts';
import type { WireSummary } from '#shared/contract/record/shipment-schemas.ts';
import type { ColumnHead } from '../../parts/table.tsx';

/** The parts of a row that a list has only on request. */
export type RowExtra = 'metadata' | 'container_status_counts' | 'vehicle';

/** The fields of a summary that are a text, a number, or yes or no. */
type PlainName = {
  [Name in keyof WireSummary]: WireSummary[Name] extends string | number | boolean | null ? Name : never;
}[keyof WireSummary];

type ColumnRow = ColumnHead & {
  /** The width in the grid. */
  track: string;
  /** The width that the column needs. */
  minPx: number;
  /** The fields that an export of the list has for it. */
  fields: readonly ExportField[];
  /** A narrow screen drops the columns in this order. Absent: never. */
  drop?: number;
  extra?: RowExtra;
  /** The field that it shows as it is. Absent: `cells/cell.tsx` draws it. */
  plain?: PlainName;
};

/** The columns of the list in their order. The number is always shown. */
export const columns = [
  { key: 'number', name: 'Identifier', className: '', track: '184px', minPx: 184, fields: ['identifiers'] },
  {
    key: 'reference',
    name: 'Reference',
    className: '',
    track: 'minmax(96px,1fr)',
    minPx: 96,
    fields: ['reference', 'references'],
    drop: 100,
  },
  {
    key: 'carrier',
    name: 'Carrier',
    className: '',
    track: 'minmax(96px,1fr)',
    minPx: 96,
    fields: ['carrier', 'carrier_name'],
    drop: 110,
  },
  {
    key: 'vessel',
    name: 'Vessel',
    className: '',
    track: 'minmax(110px,1fr)',
    minPx: 110,
    fields: ['latest_event'],
    drop: 70,
    extra: 'vehicle',
  },
  {
    key: 'route',
    name: 'Route',
    className: 'pr-2',
    track: '138px',
    minPx: 138,
    fields: ['origin', 'destination'],
    drop: 150,
  },
  { key: 'status', name: 'Status', className: '', track: '118px', minPx: 118, fields: ['status'], drop: 170 },
  { key: 'departure', name: 'Departure', className: '', track: '68px', minPx: 68, fields: ['departure'], drop: 80 },
  { key: 'eta', name: 'ETA', className: '', track: '58px', minPx: 58, fields: ['eta'], drop: 160 },
  {
    key: 'delta',
    name: 'Delay',
    className: 'justify-end',
    track: '108px',
    minPx: 108,
    fields: ['delay_hours', 'overdue_hours'],
    drop: 130,
  },
  {
    key: 'delivery',
    name: 'Delivery',
    className: 'pl-2',
    track: 'minmax(124px,1.5fr)',
    minPx: 124,
    fields: ['delivery'],
    drop: 60,
  },
  {
    key: 'event',
    name: 'Last event',
    className: 'pl-2',
    track: 'minmax(128px,1.6fr)',
    minPx: 128,
    fields: ['latest_event'],
    drop: 120,
  },
  {
    key: 'containers',
    name: 'Containers at risk',
    className: '',
    track: 'minmax(112px,0.7fr)',
    minPx: 112,
    fields: ['identifiers'],
    drop: 180,
  },
  { key: 'clock', name: 'Free time', className: '', track: 'minmax(124px,0.8fr)', minPx: 124, fields: ['free_time'] },
  { key: 'freeDay', name: 'Last free day', className: '', track: '88px', minPx: 88, fields: ['free_time'] },
  { key: 'daysLeft', name: 'Days left', className: 'justify-end', track: '62px', minPx: 62, fields: ['free_time'] },
  {
    key: 'cost',
    name: 'Cost so far',
    className: 'justify-end',
    track: 'minmax(96px,0.5fr)',
    minPx: 96,
    fields: ['free_time'],
  },
  {
    key: 'pieces',
    name: 'Pieces',
    className: 'justify-end',
    track: '48px',
    minPx: 48,
    fields: ['pieces_count'],
    drop: 40,
    plain: 'pieces_count',
  },
  {
    key: 'containerCount',
    name: 'Containers',
    className: 'justify-end',
    track: '72px',
    minPx: 72,
    fields: [],
    drop: 50,
    extra: 'container_status_counts',
  },
  { key: 'tags', name: 'Tags', className: 'pl-2', track: 'minmax(78px,0.8fr)', minPx: 78, fields: ['tags'], drop: 30 },
  {
    key: 'metadata',
    name: 'Metadata',
    className: 'pl-2',
    track: 'minmax(120px,1.4fr)',
    minPx: 120,
    fields: ['metadata'],
    drop: 20,
    extra: 'metadata',
  },
  {
    key: 'assignee',
    name: 'Assignee',
    className: 'pl-2',
    track: 'minmax(92px,0.4fr)',
    minPx: 92,
    fields: ['assignee'],
    drop: 90,
  },
  { key: 'created', name: 'Registered', className: '', track: '72px', minPx: 72, fields: ['created_at'], drop: 10 },
  {
    key: 'seen',
    name: 'Refreshed',
    className: 'justify-end',
    track: '64px',
    minPx: 64,
    fields: ['tracking'],
    drop: 140,
  },
] as const satisfies readonly ColumnRow[];

export type ColumnKey = (typeof columns)[number]['key'];
/** The fields of a summary that a row has for the columns that show them as they are. */
export type PlainField = Extract<(typeof columns)[number], { plain: string }>['plain'];
type TableRow = Omit<ColumnRow, 'plain'> & { key: ColumnKey; plain?: PlainField };

export const columnRows: readonly TableRow[] = columns;
export const plainFields = columnRows.flatMap(({ plain }) => plain ?? []);
