import type { ReactNode } from 'react';
import { StatusGlyph } from '../../../parts/status-icons.tsx';
import { wordOf } from '../../../parts/words/code-words.ts';
import { progressOf } from '../row-words.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import { Cell, Eta, LastEvent, RouteLine, RowDelta } from './cell.tsx';
import { FreeTimeLine } from './free-time-cells.tsx';

type Props = {
  row: ShipmentRow;
  now: number;
  /** The number, as a link or a button. */
  number: ReactNode;
  /** Age of the data. */
  seen: ReactNode;
  /** Shown instead of the arrival and the last event. */
  freeTime?: string | null;
  /** It no longer matches the list. */
  hasLeft?: boolean;
};

/** A shipment in three lines of 22 px, where a table has no room. */
export function CardLines({ row, now, number, seen, freeTime = null, hasLeft = false }: Props) {
  return (
    <>
      <span className="flex h-[22px] items-center gap-3">
        {number}
        <span className="ml-auto">
          {freeTime === null ? <Eta arrival={row.arrival} now={now} /> : <Cell column="freeDay" row={row} now={now} />}
        </span>
        <span className="flex min-w-12 justify-end">
          {freeTime === null ? <RowDelta row={row} /> : <Cell column="daysLeft" row={row} now={now} />}
        </span>
      </span>
      <span className="flex h-[22px] items-center gap-3">
        <span className="flex min-w-0 flex-1 items-center gap-1.5 whitespace-nowrap">
          <StatusGlyph status={row.status} />
          {wordOf(row.status)}
        </span>
        <span className="w-[46%] min-w-0">
          <RouteLine origin={row.origin} destination={row.destination} progress={progressOf(row, now)} />
        </span>
      </span>
      <span className="flex h-[22px] items-center gap-3 text-label text-t2">
        <span className="min-w-0 flex-1">
          {hasLeft ? (
            <i>No longer in this list</i>
          ) : freeTime === null ? (
            <LastEvent row={row} now={now} isCard />
          ) : (
            <FreeTimeLine row={row} text={freeTime} />
          )}
        </span>
        <span className="w-11 shrink-0">{seen}</span>
      </span>
    </>
  );
}
