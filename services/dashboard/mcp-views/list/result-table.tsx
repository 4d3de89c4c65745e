import type { ReactNode } from 'react';
import { groupIdentifier } from '#shared/domain/words/group-identifier.ts';
import { useElementSize } from '../../parts/hooks/use-element-size.ts';
import { useNow } from '../../parts/hooks/use-now.ts';
import { Identifier } from '../../parts/identifier.tsx';
import { FreshnessMark } from '../../parts/status-icons.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { CardLines } from '../../screens/shipments/cells/card-lines.tsx';
import { Cell, Eta, RowDelta } from '../../screens/shipments/cells/cell.tsx';
import { type ColumnKey, columns } from '../../screens/shipments/column-table.ts';
import type { ShipmentRow } from '../../screens/shipments/shipment-row.ts';

/** Below it, a row has three lines. */
const minTablePx = 560;

type ColumnPlan = { key: ColumnKey; className: string; minPx: number };

const plans: readonly ColumnPlan[] = [
  { key: 'number', className: 'w-[156px]', minPx: 156 },
  { key: 'reference', className: '', minPx: 110 },
  { key: 'carrier', className: 'w-[104px]', minPx: 104 },
  { key: 'route', className: 'w-[138px]', minPx: 138 },
  { key: 'status', className: 'w-[130px]', minPx: 130 },
  // With the delay.
  { key: 'eta', className: 'w-[144px]', minPx: 144 },
  { key: 'event', className: '', minPx: 130 },
  { key: 'clock', className: '', minPx: 110 },
  { key: 'freeDay', className: 'w-[104px]', minPx: 104 },
  { key: 'cost', className: 'w-[110px] text-right', minPx: 110 },
];
const usualColumns: readonly ColumnKey[] = ['number', 'reference', 'carrier', 'route', 'status', 'eta', 'event'];
const freeTimeColumns: readonly ColumnKey[] = ['number', 'reference', 'carrier', 'status', 'clock', 'freeDay', 'cost'];
/** Dropped in this order where there is no room. */
const dispensable: readonly ColumnKey[] = ['reference', 'carrier', 'route'];

type Props = {
  caption: string;
  rows: readonly ShipmentRow[];
  /** Null: rows can't be opened. */
  open: ((id: string) => void) | null;
};

/** Shipments as a table, or as lines where it has no room. */
export function ResultTable({ caption, rows, open }: Props) {
  const now = useNow();
  const [ref, size] = useElementSize<HTMLDivElement>();
  return (
    <div ref={ref}>
      {size !== null &&
        (size.width < minTablePx ? (
          <ul aria-label={caption}>
            {rows.map((row) => (
              <li key={row.id} className="relative border-line border-b px-4 py-2 [--ground:var(--bg)]">
                <CardLines
                  row={row}
                  now={now}
                  number={<RowNumber row={row} open={open} />}
                  seen={<Stale row={row} />}
                />
              </li>
            ))}
          </ul>
        ) : (
          <Table
            caption={caption}
            columns={columnsOf(rows, { widthPx: size.width, now, open })}
            rows={rows}
            rowKey={({ id }) => id}
            isFixed="always"
            {...(open === null
              ? {}
              : { open: ({ id }: ShipmentRow) => open(id), rowClassName: () => 'h-8 cursor-pointer' })}
          />
        ))}
    </div>
  );
}

function columnsOf(
  rows: readonly ShipmentRow[],
  { widthPx, now, open }: { widthPx: number; now: number; open: Props['open'] },
): Column<ShipmentRow>[] {
  const isAtRisk = rows.length > 0 && rows.every(({ freeTime }) => freeTime !== null);
  const hasReferences = rows.some(({ reference }) => reference !== null);
  const chosen = (isAtRisk ? freeTimeColumns : usualColumns).filter((key) => key !== 'reference' || hasReferences);
  return fitting(chosen, widthPx).map(({ key, className }) => ({
    key,
    name: columns.find((one) => one.key === key)?.name,
    className,
    isRowHeader: key === 'number',
    cell: (row): ReactNode => (
      <span className="flex min-w-0 items-center text-t2 [--ground:var(--bg)]">
        {key === 'number' ? (
          <>
            <RowNumber row={row} open={open} />
            <Stale row={row} />
          </>
        ) : key === 'eta' ? (
          <Arrival row={row} now={now} />
        ) : (
          <Cell column={key} row={row} now={now} />
        )}
      </span>
    ),
  }));
}

function fitting(chosen: readonly ColumnKey[], widthPx: number): ColumnPlan[] {
  let shown = plans.filter(({ key }) => chosen.includes(key));
  for (const key of dispensable) {
    if (shown.reduce((sum, { minPx }) => sum + minPx, 16) <= widthPx) break;
    shown = shown.filter((plan) => plan.key !== key);
  }
  return shown;
}

/** The arrival and its delay; of an overdue one only how long it is overdue. */
function Arrival({ row, now }: { row: ShipmentRow; now: number }) {
  if (row.overdueHours !== null) return <RowDelta row={row} className="min-w-0 truncate" />;
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <Eta arrival={row.arrival} now={now} />
      {row.delayHours !== 0 && <RowDelta row={row} />}
    </span>
  );
}

function RowNumber({ row, open }: { row: ShipmentRow; open: Props['open'] }) {
  const { kind, value } = row.number;
  const number = <Identifier kind={kind} value={value} className="min-w-0 truncate text-number text-t1" />;
  if (open === null) return number;
  return (
    <button
      type="button"
      title={value}
      aria-label={`Open ${groupIdentifier(kind, value)}`}
      onClick={(event) => {
        event.stopPropagation();
        open(row.id);
      }}
      className="flex min-w-0 text-left hover:underline"
    >
      {number}
    </button>
  );
}

/** Only where the data is stale: results do not say when it was read. */
function Stale({ row }: { row: ShipmentRow }) {
  if (row.freshness !== 'stale') return null;
  return (
    <span className="ml-1.5 inline-flex shrink-0">
      <FreshnessMark freshness="stale" />
    </span>
  );
}
