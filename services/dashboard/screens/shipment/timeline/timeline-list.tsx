import { Fragment, type ReactNode } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { momentWords, zoneWords } from '../../../parts/time-words.ts';
import { TimelineRow } from './timeline-row.tsx';
import { nowIndex, type Row } from './timeline-rows.ts';

type Props = {
  rows: readonly Row[];
  shipment: WireShipment;
  /** No earlier events are missing at the end. */
  isComplete: boolean;
  /** The first row that narrow screens do not show. */
  foldAt?: number;
  /** Renders the details of a line. Without it, the lines do not open. */
  details?: (row: Row) => ReactNode;
};

/** The lines of a timeline, with the line "Now" between what is expected and what happened. */
export function TimelineList({ rows, shipment, isComplete, foldAt = rows.length, details }: Props) {
  const now = useNow();
  const nowAt = nowIndex(rows, now);
  const nowIso = new Date(now).toISOString();
  const words = `${momentWords(nowIso, { now })} ${zoneWords(nowIso)}`;
  return (
    <ol className="pb-4">
      {rows.map((row, index) => (
        <Fragment key={row.key}>
          {index === nowAt && <NowLine words={words} isFirst={index === 0} />}
          <TimelineRow
            row={row}
            shipment={shipment}
            isFirst={index === 0}
            isLast={index === rows.length - 1 && isComplete}
            isFolded={index >= foldAt}
            details={details}
          />
        </Fragment>
      ))}
      {nowAt === rows.length && <NowLine words={words} isFirst={false} />}
    </ol>
  );
}

function NowLine({ words, isFirst }: { words: string; isFirst: boolean }) {
  return (
    <li className="relative grid h-6 grid-cols-[14px_auto_minmax(16px,1fr)] items-center gap-x-2 pr-4 pl-6 text-accent text-label max-sm:pl-4">
      {!isFirst && (
        <span
          aria-hidden="true"
          className="absolute top-0 left-[30.5px] h-3 border-line2 border-l border-dashed max-sm:left-[22.5px]"
        />
      )}
      <span aria-hidden="true" className="relative mx-auto size-[7px] rounded-full bg-accent ring-2 ring-bg" />
      <span className="whitespace-nowrap tabular-nums">Now, {words}</span>
      <span aria-hidden="true" className="ml-1 h-px bg-accent/60" />
    </li>
  );
}
