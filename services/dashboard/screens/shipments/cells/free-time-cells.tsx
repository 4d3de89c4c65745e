import { FreeTimeMark } from '../../../parts/status-icons.tsx';
import { costWords, daysLeftWords, shortDaysLeft } from '../../../parts/words/free-time-words.ts';
import { clockText, containersText } from '../row-words.ts';
import type { ShipmentRow } from '../shipment-row.ts';

/** Sign for an unknown value. */
export const dash = <span className="text-t3">–</span>;

/** The most urgent container, and how many more there are. */
export function Containers({ freeTime }: Pick<ShipmentRow, 'freeTime'>) {
  const { text, title } = containersText(freeTime);
  return (
    <span className="truncate font-mono text-number tracking-[-0.025em]" title={title}>
      {text}
    </span>
  );
}

/** The most urgent state, and how many containers can't be assessed. */
export function FreeTimeState({ row }: { row: ShipmentRow }) {
  const words = clockText(row.freeTime);
  if (words === null || row.freeTime === null) return dash;
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-t1" title={words}>
      <FreeTimeMark state={row.freeTime.state} />
      <span className="truncate">{words}</span>
    </span>
  );
}

/** The free time in the one line that a phone has for it. */
export function FreeTimeLine({ row, text }: { row: ShipmentRow; text: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-t1" title={text}>
      <FreeTimeMark state={row.freeTime?.state ?? ''} size={13} />
      <span className="truncate">{text}</span>
    </span>
  );
}

export function DaysLeft({ days }: { days: number | null }) {
  if (days === null) return <span className="ml-auto text-t3">–</span>;
  return (
    <span
      title={daysLeftWords(days)}
      className={`ml-auto whitespace-nowrap tabular-nums ${days < 0 ? 'font-medium text-red' : days <= nearDays ? 'font-medium text-amber' : 'text-t1'}`}
    >
      {shortDaysLeft(days)}
    </span>
  );
}

/** Below this, few days are left. Only a colour: the state says what counts as near. */
const nearDays = 2;

export function Cost({ freeTime }: Pick<ShipmentRow, 'freeTime'>) {
  const words = freeTime === null ? null : costWords(freeTime.costs);
  if (words !== null)
    return (
      <span className="ml-auto truncate text-t1 tabular-nums" title={words}>
        {words}
      </span>
    );
  const isUnknown = freeTime !== null && (freeTime.unknown > 0 || freeTime.state === 'over');
  return (
    <span
      className="ml-auto text-t3"
      title={isUnknown ? 'The rates or the free days are not known' : 'Nothing is owed so far'}
    >
      {isUnknown ? 'unknown' : '–'}
    </span>
  );
}
