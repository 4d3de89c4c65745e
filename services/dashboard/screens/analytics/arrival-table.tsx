import type { UseQueryResult } from '@tanstack/react-query';
import { Chip } from '../../parts/chip.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { hourWords, laneWords, percentWords } from '../../parts/words/figure-words.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import type { ArrivalGroup, ArrivalReport } from './analytics-scope.ts';
import { CountLink, FigureLink } from './figure-link.tsx';

type By = 'carrier' | 'lane' | 'country_lane';

type Props = {
  title: string;
  by: By;
  query: UseQueryResult<ArrivalReport>;
  /** Narrows the page to one group. */
  pick?: (key: string) => void;
  setBy?: (by: 'lane' | 'country_lane') => void;
};

/** On-time share and transit time of each carrier or lane, with their trend. */
export function ArrivalTable({ title, by, query: { data, error, refetch }, pick, setBy }: Props) {
  // While another grouping loads, the former one stays away: its rows are others.
  const groups = data?.group_by === by ? (data.groups ?? []) : undefined;
  return (
    <section className="shrink-0">
      <div className="flex min-h-10 flex-wrap items-center gap-2 border-line border-b bg-sunk px-4 py-1.5">
        <h2 className="text-section font-semibold">{title}</h2>
        {data !== undefined && data.groups_other > 0 && (
          <span className="text-label text-t3">
            {data.groups_other.toLocaleString(numberLocale())} arrivals in further{' '}
            {by === 'carrier' ? 'carriers' : 'lanes'} are not shown
          </span>
        )}
        {setBy && (
          <span className="ml-auto flex gap-1.5 print:hidden">
            <Chip active={by === 'lane'} onClick={() => setBy('lane')}>
              Ports
            </Chip>
            <Chip active={by === 'country_lane'} onClick={() => setBy('country_lane')}>
              Countries
            </Chip>
          </span>
        )}
      </div>
      <Table
        caption={title}
        columns={columnsOf(by, pick)}
        rows={groups}
        rowKey={({ key }) => key}
        rowClassName={() => 'h-8 max-md:grid-cols-[1fr_auto_auto] max-md:gap-x-4'}
        narrow="stacked"
        skeletonRows={4}
        error={error}
        retry={() => void refetch()}
      />
    </section>
  );
}

const number = 'text-right tabular-nums md:w-24';
const wide = `${number} max-md:hidden`;
const none = <span className="text-t3">–</span>;

function columnsOf(by: By, pick: Props['pick']): readonly Column<ArrivalGroup>[] {
  const nameOf = ({ key, name }: ArrivalGroup) => (by === 'carrier' ? (name ?? key) : laneWords(key));
  const spread = (group: ArrivalGroup, hours: number | null, what: string) =>
    hours === null ? (
      none
    ) : (
      <FigureLink
        list={group.list}
        and={`transit_min_hours=${hours}`}
        label={`${hourWords(hours)}, ${nameOf(group)}: ${what}`}
      >
        {hourWords(hours)}
      </FigureLink>
    );
  return [
    {
      key: 'name',
      name: by === 'carrier' ? 'Carrier' : 'Lane',
      isRowHeader: true,
      skeleton: 'w-40',
      className: 'max-md:col-span-3',
      cell: (group) =>
        pick === undefined ? (
          <span className="font-mono text-number">{nameOf(group)}</span>
        ) : (
          <button
            type="button"
            title={`Only ${nameOf(group)}`}
            className="max-w-full truncate text-left font-medium hover:underline"
            onClick={() => pick(group.key)}
          >
            {nameOf(group)}
          </button>
        ),
    },
    {
      key: 'arrivals',
      name: 'Arrivals',
      className: number,
      cell: (group) => (
        <>
          <CountLink count={group.arrivals} of={`arrivals, ${nameOf(group)}`} list={group.list} />
          <span className="text-t3 md:hidden"> arrived</span>
        </>
      ),
    },
    {
      key: 'share',
      name: 'On time',
      className: number,
      cell: (group) =>
        group.on_time_share === null ? (
          <span className="text-t3" title="No arrival has a promised time">
            –
          </span>
        ) : (
          <FigureLink
            list={group.list}
            and="on_time=early,on_time"
            label={`${percentWords(group.on_time_share)} on time, ${nameOf(group)}: list them`}
          >
            {percentWords(group.on_time_share)}
            <span className="text-t3 md:hidden"> on time</span>
          </FigureLink>
        ),
    },
    {
      key: 'late',
      name: 'Late',
      className: wide,
      cell: (group) => (
        <CountLink
          count={group.late}
          of={`late, ${nameOf(group)}`}
          list={group.list}
          and="on_time=late"
          className="text-amber"
        />
      ),
    },
    {
      key: 'unknown',
      name: 'No promise',
      className: wide,
      headTitle: 'Arrivals without a promised time, which the share leaves out',
      cell: (group) => (
        <CountLink
          count={group.unknown}
          of={`without a promised time, ${nameOf(group)}`}
          list={group.list}
          and="on_time=unknown"
        />
      ),
    },
    {
      key: 'median',
      name: 'Median transit',
      className: `${number} md:w-32`,
      cell: (group) => (
        <>
          {spread(group, group.transit.median_hours, 'list the slower half')}
          <span className="text-t3 md:hidden"> median</span>
        </>
      ),
    },
    {
      key: 'p90',
      name: '9 of 10 within',
      className: `${wide} md:w-32`,
      cell: (group) => spread(group, group.transit.p90_hours, 'list the slowest tenth'),
    },
    {
      key: 'known',
      name: 'Measured',
      className: wide,
      headTitle: 'Arrivals with a known departure',
      cell: (group) => (
        <CountLink
          count={group.transit.known}
          of={`with a known departure, ${nameOf(group)}`}
          list={group.list}
          and="transit_known=true"
        />
      ),
    },
    {
      key: 'trend',
      name: 'On-time trend',
      className: 'max-lg:hidden md:w-36',
      cell: (group) => <ShareLine trend={group.trend} name={nameOf(group)} />,
    },
  ];
}

const [width, height] = [112, 20];

/** The on-time share by week or month. A period without a known promise leaves a gap. */
function ShareLine({ trend, name }: { trend: ArrivalGroup['trend']; name: string }) {
  const known = trend.flatMap(({ on_time_share: share }, index) => (share === null ? [] : [{ share, index }]));
  const first = known[0];
  const last = known.at(-1);
  if (first === undefined || last === undefined || known.length < 2) return none;
  const x = (index: number) => 2 + (index / Math.max(1, trend.length - 1)) * (width - 4);
  const y = (share: number) => 2 + (1 - share) * (height - 4);
  const path = known
    .map(({ share, index }, at) => `${at > 0 && known[at - 1]?.index === index - 1 ? 'L' : 'M'}${x(index)} ${y(share)}`)
    .join('');
  return (
    <svg
      role="img"
      aria-label={`On-time share, ${name}: from ${percentWords(first.share)} to ${percentWords(last.share)}`}
      width={width}
      height={height}
      className="align-middle text-t2"
    >
      <path d={path} fill="none" stroke="currentColor" strokeWidth={1.5} />
      {known.map(({ share, index }) => (
        <circle key={index} cx={x(index)} cy={y(share)} r={index === last.index ? 2 : 1} fill="currentColor" />
      ))}
    </svg>
  );
}
