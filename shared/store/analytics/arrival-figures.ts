import {
  type ArrivalDimension,
  type ArrivalFigures,
  type FigureScope,
  noArrivals,
  type TrendPeriod,
} from '#shared/domain/analytics/figures.ts';
import { countryLaneText, laneText } from '../lists/filter-sql.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import type { AnalyticsKey } from './cursors.ts';

/** `period`: each group by period, too. `limit`: the groups with the most arrivals. */
export type FigureQuery = { by: ArrivalDimension | null; period: TrendPeriod | null; limit?: number };

/** `period` is empty in the row of a whole group. */
export type FigureRow = { key: string; period: string; figures: ArrivalFigures };

const dimensions: Record<ArrivalDimension, string> = {
  carrier: 'f.carrier',
  lane: laneText,
  country_lane: countryLaneText,
  transport_mode: 'f.transport_mode',
};

const periods: Record<TrendPeriod, string> = {
  week: `to_char(f.day, 'IYYY-"W"IW')`,
  month: `to_char(f.day, 'YYYY-MM')`,
};

type Row = {
  key: string;
  period: string;
  arrivals: number;
  early: number;
  onTime: number;
  late: number;
  known: number | null;
  median: number | null;
  p90: number | null;
  causes: Record<string, number> | null;
  freeTime: Record<string, number> | null;
};

/** Figures from the kept cells, most arrivals first. Percentiles are exact: the cells have each value. */
export async function readArrivalFigures(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
  { scope, query }: { scope: FigureScope; query: FigureQuery },
): Promise<FigureRow[]> {
  const values: unknown[] = [accountId, test];
  const add = (value: unknown) => `$${values.push(value)}`;
  const key = query.by === null ? `''` : dimensions[query.by];
  const period = query.period === null ? `''` : periods[query.period];
  const group = query.period === null ? wholes : wholesAndPeriods;
  const where = cellConditions(add, scope).join(' and ');
  const rows = await readRows<Row>(tx, {
    text: `
      with chosen as (
        select ${key} as key, ${period} as period, f.arrivals, f.early, f.on_time, f.late, f.transit_hours,
          f.delay_causes, f.free_time
        from landfall.arrival_cells as f
        ${query.limit === undefined ? '' : `join (${largestGroups(key, where)} limit ${add(query.limit)}) as largest on largest.key = ${key}`}
        where ${where}
      ),
      counted as (
        select key, ${group.period} as period, sum(arrivals) as arrivals, sum(early) as early,
          sum(on_time) as on_time, sum(late) as late
        from chosen
        group by ${group.by('key')}
      ),
      transit as (
        select key, ${group.period} as period, count(*) as known,
          percentile_cont(array[0.5, 0.9]) within group (order by hours::float8) as spread
        from chosen
        cross join lateral unnest(transit_hours) as hours
        group by ${group.by('key')}
      ),
      causes as (${summed('delay_causes', group)}),
      outcomes as (${summed('free_time', group)})
      select c.key, c.period, c.arrivals, c.early, c.on_time, c.late, t.known, t.spread[1] as median, t.spread[2] as p90,
        causes.counts as causes, outcomes.counts as free_time
      from counted as c
      left join transit as t on t.key = c.key and t.period = c.period
      left join causes on causes.key = c.key and causes.period = c.period
      left join outcomes on outcomes.key = c.key and outcomes.period = c.period
      order by c.arrivals desc, c.key, c.period`,
    values,
  });
  return rows.map((row) => ({ key: row.key, period: row.period, figures: toFigures(row) }));
}

type Grouping = { period: string; by: (columns: string) => string };

const wholes: Grouping = { period: `''`, by: (columns) => columns };
/** The whole and each of its periods, in one pass over the cells. */
const wholesAndPeriods: Grouping = {
  period: `case when grouping(period) = 1 then '' else period end`,
  by: (columns) => `grouping sets ((${columns}), (${columns}, period))`,
};

/** The groups with the most arrivals first. */
function largestGroups(key: string, where: string): string {
  return `
          select ${key} as key from landfall.arrival_cells as f where ${where}
          group by 1 order by sum(f.arrivals) desc, 1`;
}

/** The sums of the fields of an object, by group. */
function summed(column: string, group: Grouping): string {
  return `
        select key, period, jsonb_object_agg(name, counted) as counts
        from (
          select key, ${group.period} as period, e.name, sum(e.counted::integer) as counted
          from chosen
          cross join lateral jsonb_each_text(${column}) as e (name, counted)
          where ${column} <> '{}'
          group by ${group.by('key, e.name')}
        ) as each
        group by 1, 2`;
}

/** The cells `f` of a scope. `$1` is the account, `$2` the mode. */
export function cellConditions(add: (value: unknown) => string, scope: FigureScope): string[] {
  const { from, to, transportMode, carrier, lane, countryLane } = scope;
  return [
    'f.account_id = $1',
    'f.test = $2',
    `f.day between ${add(from)}::date and ${add(to)}::date`,
    ...(carrier ? [`f.carrier = any(${add(carrier)}::text[])`] : []),
    ...(transportMode ? [`f.transport_mode = any(${add(transportMode)}::text[])`] : []),
    ...(lane ? [`${laneText} = any(${add(lane)}::text[])`] : []),
    ...(countryLane ? [`${countryLaneText} = any(${add(countryLane)}::text[])`] : []),
  ];
}

function toFigures(row: Row): ArrivalFigures {
  const arrivals = Number(row.arrivals);
  const [early, onTime, late] = [Number(row.early), Number(row.onTime), Number(row.late)];
  const causes = Object.entries(row.causes ?? {}).map(([cause, counted]) => ({ cause, arrivals: Number(counted) }));
  return {
    arrivals,
    early,
    onTime,
    late,
    unknown: arrivals - early - onTime - late,
    transit: { known: Number(row.known ?? 0), median: row.median, p90: row.p90 },
    delayCauses: causes.sort((left, right) => right.arrivals - left.arrivals || (left.cause < right.cause ? -1 : 1)),
    freeTime: { ...noArrivals.freeTime, ...row.freeTime },
  };
}
