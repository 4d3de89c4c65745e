import { Link } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import { addDays } from '#shared/domain/free-time/count-days.ts';
import type { ArrivalDay } from '#shared/domain/lists/arrival-days.ts';
import { WarningMark } from '../../parts/status-icons.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import type { ListSearch } from '../shipments/list-search.ts';
import { listOf } from './calendar-days.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

type Props = {
  title: string;
  weeks: readonly (readonly string[])[];
  /** Undefined until they are loaded. */
  days: readonly ArrivalDay[] | undefined;
  filter: ListSearch;
  today: string;
  /** Days of other months are faint. Null: none is. */
  month: string | null;
  turn: (by: 1 | -1) => void;
};

/** The days as a table; on a phone, those with arrivals as a list. Arrow keys go from day to day, Page keys turn pages. */
export function CalendarTable({ title, weeks, days, filter, today, month, turn }: Props) {
  const known = new Map(days?.map((one) => [one.day, one]));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'PageUp' || event.key === 'PageDown') {
      event.preventDefault();
      turn(event.key === 'PageUp' ? -1 : 1);
      return;
    }
    const step = steps[event.key];
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-day]');
    if (step === undefined || cell === null) return;
    event.preventDefault();
    // The next day in this direction that has a list.
    const span = weeks.length * 7;
    for (let at = step; Math.abs(at) < span; at += step) {
      const day = addDays(cell.dataset.day ?? '', at);
      const link = event.currentTarget.querySelector<HTMLElement>(`[data-day="${day}"] a`);
      if (link !== null) return link.focus();
    }
  };
  return (
    <>
      <table
        aria-busy={days === undefined}
        onKeyDown={onKeyDown}
        className="w-full flex-1 table-fixed border-collapse max-sm:hidden"
      >
        <caption className="sr-only">Arrivals by day, {title}</caption>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th
                key={name}
                scope="col"
                className="border-line border-b bg-sunk px-3 py-1.5 text-left font-normal text-label text-t3"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td
                  key={day}
                  data-day={day}
                  {...(day === today ? { 'aria-current': 'date' as const } : {})}
                  className={`h-24 border-line border-b px-3 py-2 align-top not-last:border-r ${month !== null && !day.startsWith(month) ? 'bg-sunk' : ''}`}
                >
                  <DayName day={day} isToday={day === today} isFaint={month !== null && !day.startsWith(month)} />
                  <Counts day={day} counts={known.get(day)} filter={filter} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul aria-label={`Arrivals by day, ${title}`} className="sm:hidden">
        {weeks.flat().map((day) => {
          const counts = known.get(day);
          if (counts === undefined || (month !== null && !day.startsWith(month))) return null;
          return (
            <li key={day} className="flex gap-4 border-line border-b px-4 py-3">
              <span className="w-24 shrink-0">
                <span className={day === today ? 'font-semibold text-accent' : 'font-medium'}>{longDay(day)}</span>
              </span>
              <Counts day={day} counts={counts} filter={filter} />
            </li>
          );
        })}
        {days?.length === 0 && <li className="px-4 py-3 text-t2">No arrivals on these days.</li>}
      </ul>
    </>
  );
}

function DayName({ day, isToday, isFaint }: { day: string; isToday: boolean; isFaint: boolean }) {
  const tone = isToday ? 'bg-accent text-on-accent' : isFaint ? 'text-t3' : 'text-t2';
  return (
    <time
      dateTime={day}
      className={`-ml-1.5 mb-1 inline-grid h-5 min-w-5 place-items-center rounded-chip px-1.5 text-label tabular-nums ${tone}`}
    >
      <span aria-hidden="true">{Number(day.slice(8))}</span>
      <span className="sr-only">{longDay(day)}</span>
    </time>
  );
}

/** The numbers of a day. Each opens its list; a number without shipments is left out. */
function Counts({ day, counts, filter }: { day: string; counts: ArrivalDay | undefined; filter: ListSearch }) {
  if (counts === undefined) return null;
  const shown = (['expected', 'late', 'arrived'] as const).filter((name) => counts[name] > 0);
  return (
    <ul className="flex flex-col gap-0.5">
      {shown.map((name) => (
        <li key={name}>
          <Link
            to="/"
            search={listOf(filter, name, day) as never}
            className="-mx-1 inline-flex items-center gap-1.5 rounded-badge px-1 hover:bg-hover hover:underline"
          >
            <span className={`tabular-nums ${name === 'expected' ? 'font-semibold' : ''}`}>
              {counts[name].toLocaleString(numberLocale())}
            </span>
            <span className="text-label text-t2">
              {' '}
              {name}
              <span className="sr-only">, {longDay(day)}</span>
            </span>
            {name === 'late' && <WarningMark severity="warning" />}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** `Mon 4 May`. */
function longDay(day: string): string {
  return new Date(day).toLocaleDateString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
}
