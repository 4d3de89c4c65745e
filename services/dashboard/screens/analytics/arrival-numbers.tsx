import type { ReactNode } from 'react';
import { Skeleton } from '../../parts/skeleton.tsx';
import { hourWords, percentWords } from '../../parts/words/figure-words.ts';
import type { ArrivalFigures } from './analytics-scope.ts';
import { CountLink, FigureLink, NotedLink } from './figure-link.tsx';

type Figure = { name: string; value: ReactNode; note: ReactNode };

/** The five numbers of the period, each with what it is counted from. */
export function ArrivalNumbers({ total }: { total: ArrivalFigures | undefined }) {
  const figures = figuresOf(total);
  return (
    <ul className="grid shrink-0 grid-cols-5 gap-px border-line border-b bg-line max-lg:grid-cols-2">
      {figures.map(({ name, value, note }) => (
        <li
          key={name}
          className="flex min-h-[88px] min-w-0 flex-col justify-center gap-0.5 bg-bg px-4 py-2 max-lg:first:col-span-2"
        >
          <h2 className="text-label text-t2">{name}</h2>
          <span className="font-semibold text-figure tabular-nums tracking-[-0.02em]">{value}</span>
          <span className="text-label text-t3">{note}</span>
        </li>
      ))}
    </ul>
  );
}

const dash = <span className="text-t3">–</span>;

function figuresOf(total: ArrivalFigures | undefined): Figure[] {
  const names = ['Arrivals', 'On time', 'Median transit time', 'Transit time, 9 of 10', 'Free time exceeded'];
  if (total === undefined)
    return names.map((name) => ({ name, value: <Skeleton className="w-16" />, note: <Skeleton className="w-24" /> }));
  const { list, transit, free_time: freeTime } = total;
  const known = total.arrivals - total.unknown;
  const fromKnown = (
    <>
      of <NotedLink count={transit.known} of="arrivals with a known departure" list={list} and="transit_known=true" />{' '}
      arrivals
    </>
  );
  const withFreeTime = freeTime.within + freeTime.exceeded;
  const spread = (hours: number | null, label: string) =>
    hours === null ? (
      dash
    ) : (
      <FigureLink list={list} and={`transit_min_hours=${hours}`} label={`${hourWords(hours)}: ${label}`}>
        {hourWords(hours)}
      </FigureLink>
    );
  const values: Omit<Figure, 'name'>[] = [
    {
      value: <CountLink count={total.arrivals} of="arrivals" list={list} />,
      note: (
        <>
          <NotedLink count={total.late} of="late arrivals" list={list} and="on_time=late" className="text-amber" />{' '}
          late, <NotedLink count={total.early} of="early arrivals" list={list} and="on_time=early" /> early
        </>
      ),
    },
    {
      value:
        total.on_time_share === null ? (
          dash
        ) : (
          <FigureLink
            list={list}
            and="on_time=early,on_time"
            label={`${percentWords(total.on_time_share)} on time: list them`}
          >
            {percentWords(total.on_time_share)}
          </FigureLink>
        ),
      note:
        known === 0 ? (
          'no arrival has a promised time'
        ) : (
          <>
            of{' '}
            <NotedLink count={known} of="arrivals with a promised time" list={list} and="on_time=early,on_time,late" />{' '}
            with a promised time
          </>
        ),
    },
    { value: spread(transit.median_hours, 'list the slower half'), note: fromKnown },
    { value: spread(transit.p90_hours, 'list the slowest tenth'), note: fromKnown },
    {
      value: (
        <CountLink
          count={freeTime.exceeded}
          of="arrivals that exceeded free time"
          list={list}
          and="free_time_outcome=exceeded"
        />
      ),
      note:
        withFreeTime + freeTime.open + freeTime.unknown === 0 ? (
          'no free time is known'
        ) : (
          <>
            <NotedLink
              count={freeTime.within}
              of="arrivals within free time"
              list={list}
              and="free_time_outcome=within"
            />{' '}
            kept,{' '}
            <NotedLink
              count={freeTime.open}
              of="arrivals with running clocks"
              list={list}
              and="free_time_outcome=open"
            />{' '}
            running,{' '}
            <NotedLink
              count={freeTime.unknown}
              of="arrivals with unknown terms"
              list={list}
              and="free_time_outcome=unknown"
            />{' '}
            unknown
          </>
        ),
    },
  ];
  return names.map((name, index) => ({ name, ...(values[index] as Omit<Figure, 'name'>) }));
}
