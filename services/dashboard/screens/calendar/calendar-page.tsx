import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { call } from '../../api/call.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useNow } from '../../parts/hooks/use-now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { ActiveFilters } from '../shipments/filters/active-filters.tsx';
import { FilterMenus } from '../shipments/filters/filter-menus.tsx';
import { baseOf, dayOf } from '../shipments/list-plan.ts';
import { type ListSearch, writeListSearch } from '../shipments/list-search.ts';
import { calendarFilter, type Period, readDay, turned, weeksOf } from './calendar-days.ts';
import { CalendarTable } from './calendar-table.tsx';

const periods: readonly { period: Period; name: string }[] = [
  { period: 'month', name: 'Month' },
  { period: 'week', name: 'Week' },
];
const refetchMs = 60_000;

/** Shows the number of shipments expected, late and arrived on each day. Every number links to its list. */
export function CalendarPage() {
  const raw = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const today = dayOf(useNow());
  const filter = useMemo(() => calendarFilter(raw), [raw]);
  const period: Period = raw.by === 'week' ? 'week' : 'month';
  const day = readDay(raw.on, today);
  const weeks = weeksOf(day, period);
  const [from = day, to = day] = [weeks[0]?.[0], weeks.at(-1)?.at(-1)];
  const query = { ...baseOf(filter), from, to };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['arrival-days', query],
    queryFn: ({ signal }) => call('getArrivalDays', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });
  const show = (changes: { on?: string; by?: string; filter?: ListSearch }) =>
    navigate({
      to: '/calendar',
      search: {
        ...writeListSearch({ ...(changes.filter ?? filter), view: 'all', sort: '-created_at' }),
        view: '',
        on: changes.on ?? day,
        by: changes.by ?? (period === 'week' ? 'week' : ''),
      } as never,
      resetScroll: false,
    });
  const known = isPlaceholderData ? undefined : data?.days;
  const month = period === 'month' ? day.slice(0, 7) : '';
  const title = titleOf(day, from, to, period);
  return (
    <div className="flex min-h-full flex-col">
      <PageHead
        title="Calendar"
        count={
          known === undefined ? (
            <Skeleton className="w-32" />
          ) : (
            summaryOf(known.filter((one) => one.day.startsWith(month)))
          )
        }
      >
        {periods.map(({ period: one, name }) => (
          <Chip key={one} active={period === one} onClick={() => show({ by: one === 'week' ? 'week' : '' })}>
            {name}
          </Chip>
        ))}
      </PageHead>
      <div className="flex min-h-[44px] flex-wrap items-center gap-1.5 border-line border-b px-4 py-2 print:hidden">
        <IconButton icon="left" label={`Previous ${period}`} onClick={() => show({ on: turned(day, period, -1) })} />
        <IconButton icon="right" label={`Next ${period}`} onClick={() => show({ on: turned(day, period, 1) })} />
        <h2 aria-live="polite" className="mr-2 min-w-32 font-semibold text-section">
          {title}
        </h2>
        <Button onClick={() => show({ on: today })}>Today</Button>
        <span aria-hidden="true" className="mx-1.5 h-4 w-px bg-line2 max-sm:hidden" />
        <FilterMenus search={filter} rows={[]} change={(next) => show({ filter: next })} />
      </div>
      <ActiveFilters search={filter} change={(next) => show({ filter: next })} />
      {error !== null && data === undefined ? (
        <ProblemNote error={error} retry={() => void refetch()} className="p-4" />
      ) : (
        <CalendarTable
          title={title}
          weeks={weeks}
          days={known}
          filter={filter}
          today={today}
          month={month === '' ? null : month}
          turn={(by) => show({ on: turned(day, period, by) })}
        />
      )}
    </div>
  );
}

/** `May 2026`, or `4 May – 10 May 2026`. */
function titleOf(day: string, from: string, to: string, period: Period): string {
  const text = (at: string, parts: Intl.DateTimeFormatOptions) =>
    new Date(at).toLocaleDateString('en-GB', { ...parts, timeZone: 'UTC' });
  if (period === 'month') return text(day, { month: 'long', year: 'numeric' });
  const short = { day: 'numeric', month: 'short' } as const;
  return `${text(from, short)} – ${text(to, { ...short, year: 'numeric' })}`;
}

function summaryOf(days: readonly { expected: number; arrived: number }[]): string {
  const sum = (name: 'expected' | 'arrived') =>
    days.reduce((total, one) => total + one[name], 0).toLocaleString(numberLocale());
  return `${sum('expected')} expected, ${sum('arrived')} arrived`;
}
