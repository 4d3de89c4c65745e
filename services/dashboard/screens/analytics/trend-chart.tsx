import { Link } from '@tanstack/react-router';
import type { TrendPeriod } from '#shared/domain/analytics/figures.ts';
import { Chip } from '../../parts/chip.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { dayWords } from '../../parts/time-words.ts';
import { hourWords, percentWords } from '../../parts/words/figure-words.ts';
import { countWords } from '../../parts/words/measure-words.ts';
import type { ArrivalGroup } from './analytics-scope.ts';
import { listSearchOf } from './figure-link.tsx';

type Point = ArrivalGroup['trend'][number];

type Props = {
  points: readonly Point[] | undefined;
  period: TrendPeriod;
  setPeriod: (period: string) => void;
};

/** Arrivals by week or month as bars, late ones hatched on top. Each bar opens its list. */
export function TrendChart({ points, period, setPeriod }: Props) {
  const highest = Math.max(1, ...(points ?? []).map(({ arrivals }) => arrivals));
  return (
    <section aria-labelledby="trend-title" className="shrink-0 border-line border-b px-4 pt-2 pb-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id="trend-title" className="text-section font-semibold">
          Arrivals by {period}
        </h2>
        <Legend />
        <span className="ml-auto flex gap-1.5 print:hidden">
          {(['week', 'month'] as const).map((each) => (
            <Chip key={each} active={period === each} onClick={() => setPeriod(each)}>
              {each === 'week' ? 'Weeks' : 'Months'}
            </Chip>
          ))}
        </span>
      </div>
      {points === undefined ? (
        <div className="flex h-[132px] items-end">
          <Skeleton className="w-full" />
        </div>
      ) : (
        <ol
          aria-label={`Arrivals by ${period}`}
          className="mt-2 flex h-[132px] items-stretch gap-[3px] overflow-x-auto"
        >
          {points.map((point, index) => (
            <li key={point.period} className="flex min-w-[14px] max-w-16 flex-1 flex-col">
              <Bar point={point} highest={highest} />
              <span aria-hidden="true" className="h-4 overflow-visible whitespace-nowrap text-axis text-t3">
                {index % everyLabel(points.length) === 0 ? labelOf(point, period) : ''}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Bar({ point, highest }: { point: Point; highest: number }) {
  const { arrivals, late, unknown, early, on_time: onTime } = point;
  const height = (count: number) => ({ height: `${(count / highest) * 100}%` });
  const words = wordsOf(point);
  if (arrivals === 0)
    return (
      <span className="flex flex-1 flex-col justify-end border-line border-b" title={words}>
        <span className="sr-only">{words}</span>
      </span>
    );
  return (
    <Link
      to="/"
      search={listSearchOf(point.list) as never}
      aria-label={words}
      title={words}
      className="flex flex-1 flex-col justify-end border-line border-b hover:bg-hover"
    >
      <span className="hatched bg-amber" style={height(late)} />
      <span className="bg-bar" style={height(unknown)} />
      <span className="bg-teal" style={height(early + onTime)} />
    </Link>
  );
}

function wordsOf(point: Point): string {
  const { from, to, arrivals, late, unknown, on_time_share: share, transit } = point;
  const days = from === to ? dayWords(from) : `${dayWords(from)} – ${dayWords(to)}`;
  const parts = [
    countWords(arrivals, ['arrival', 'arrivals']),
    ...(late > 0 ? [`${late} late`] : []),
    ...(unknown > 0 ? [`${unknown} without a promise`] : []),
    ...(share === null ? [] : [`${percentWords(share)} on time`]),
    ...(transit.median_hours === null ? [] : [`median ${hourWords(transit.median_hours)}`]),
  ];
  return `${days}: ${parts.join(', ')}`;
}

function Legend() {
  const keys = [
    ['bg-teal', 'On time'],
    ['hatched bg-amber', 'Late'],
    ['bg-bar', 'No promise known'],
  ] as const;
  return (
    <ul className="flex flex-wrap gap-x-3 text-label text-t3">
      {keys.map(([colour, name]) => (
        <li key={name} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`size-2 rounded-bar ${colour}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Labels need room: about ten of them fit. */
function everyLabel(points: number): number {
  return Math.max(1, Math.ceil(points / 9));
}

function labelOf({ from, period }: Point, by: TrendPeriod): string {
  if (by === 'week') return dayWords(from);
  const [year = '', month = ''] = period.split('-');
  const name = new Date(`${year}-${month}-01T00:00:00Z`).toLocaleString('en-GB', { month: 'short', timeZone: 'UTC' });
  return month === '01' ? `${name} ${year}` : name;
}
