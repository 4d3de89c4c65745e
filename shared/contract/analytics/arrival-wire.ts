import { z } from 'zod';
import { onTimeShare } from '#shared/domain/analytics/arrival.ts';
import { delayCauseWords } from '#shared/domain/analytics/delay-causes.ts';
import {
  type ArrivalDimension,
  type ArrivalFigures,
  type ArrivalReport,
  arrivalDimensions,
  type FigureScope,
  maxFigureGroups,
  type TrendPoint,
} from '#shared/domain/analytics/figures.ts';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { amount, count, dayText, listText, share, stateFields, toWireState } from './figure-parts.ts';
import { listQueryOf } from './list-query.ts';

const arrivalFields = {
  arrivals: count('Shipments that arrived: `list` lists them.', 128),
  early: count('Arrived a day or more before the first promise. Listed with `&on_time=early`.', 9),
  on_time: count('Arrived as first promised. Listed with `&on_time=on_time`.', 81),
  late: count('Arrived a day or more after the first promise. Listed with `&on_time=late`.', 30),
  unknown: count('Arrived without a known promise. Listed with `&on_time=unknown`.', 8),
  on_time_share: share('Share of `early` and `on_time` among arrivals with a promise. Null: none has one.', 0.75),
  transit: z
    .strictObject({
      known: count('Arrivals whose departure is known. Listed with `&transit_known=true`.', 120),
      unknown: count('The others. Listed with `&transit_known=false`.', 8),
      median_hours: amount('Half of them travelled at most this long.', 744),
      p90_hours: amount('Nine out of ten travelled at most this long.', 936),
    })
    .meta({ description: 'Hours from the departure to the arrival. Percentiles are exact, by linear interpolation.' }),
  delay_causes: z
    .array(
      z.strictObject({
        cause: z.string().meta({ description: 'SMDG code, exception, `other` or `unknown`.', examples: ['WEA'] }),
        description: z.string().meta({ description: 'The cause in words.', examples: ['bad weather'] }),
        arrivals: count('Late arrivals with this cause. Listed with `&delay_cause=WEA`.', 12),
      }),
    )
    .meta({
      description:
        'Late arrivals by recorded cause, most frequent first. One with two causes counts for both. `unknown`: ' +
        'nothing is stated.',
    }),
  free_time: z
    .strictObject({
      within: count('Every clock stopped in time.', 60),
      exceeded: count('A last free day passed first.', 12),
      open: count('A clock still runs.', 20),
      unknown: count('The last free day is unknown.', 6),
      none: count('No clock started.', 30),
    })
    .meta({ description: 'Arrivals by how free time went. Listed with `&free_time_outcome=exceeded`.' }),
  list: listText(
    'Query of `GET /v1/shipments` that lists the arrivals. Append the value of a field to list its part.',
    'archived=any&arrived_from=2026-04-01&arrived_to=2026-06-30&carrier=MAEU',
  ),
};

const trendField = z
  .array(
    z.strictObject({
      period: z.string().meta({ description: 'ISO week or month.', examples: ['2026-W16', '2026-04'] }),
      from: dayText('Its first day, within the bounds.', '2026-04-13'),
      to: dayText('Its last day, within the bounds.', '2026-04-19'),
      ...arrivalFields,
    }),
  )
  .meta({ description: 'Every period in order. Empty without `trend`.' });

export const wireArrivalAnalytics = z
  .strictObject({
    from: dayText('First day.', '2026-04-01'),
    to: dayText('Last day.', '2026-06-30'),
    ...stateFields,
    group_by: z
      .enum(arrivalDimensions)
      .nullable()
      .meta({ description: 'As asked.', examples: ['carrier'] }),
    total: z
      .strictObject({ ...arrivalFields, trend: trendField })
      .meta({ description: 'The figures of all arrivals in the period.' }),
    groups: z
      .array(
        z.strictObject({
          key: z.string().meta({ description: 'Carrier code, lane or mode.', examples: ['MAEU', 'CNSHA-NLRTM'] }),
          name: z
            .string()
            .nullable()
            .meta({ description: 'Its name, if that is another text.', examples: ['Maersk'] }),
          ...arrivalFields,
          trend: trendField,
        }),
      )
      .max(maxFigureGroups)
      .nullable()
      .meta({ description: 'Most arrivals first. Null without `group_by`.' }),
    groups_other: count('Arrivals in further groups.', 0),
  })
  .meta({ id: 'ArrivalAnalytics' });

export type WireArrivalAnalytics = z.output<typeof wireArrivalAnalytics>;
export type WireArrivalFigures = Omit<WireArrivalAnalytics['total'], 'trend'>;

export function toWireArrivalAnalytics(
  { total, trend, groups, other, ...kept }: ArrivalReport,
  { scope, by }: { scope: FigureScope; by: ArrivalDimension | null },
): WireArrivalAnalytics {
  const trendOf = (points: readonly TrendPoint[], within: FigureScope) =>
    points.map(({ period, from, to, figures }) => ({
      period,
      from,
      to,
      ...toFigures(figures, { ...within, from, to }),
    }));
  return {
    from: scope.from,
    to: scope.to,
    ...toWireState(kept),
    group_by: by,
    total: { ...toFigures(total, scope), trend: trendOf(trend, scope) },
    groups:
      groups?.map((group) => {
        const within = by === null ? scope : withinGroup(scope, by, group.key);
        return {
          key: group.key,
          name: by === 'carrier' ? (findCarrier(group.key)?.name ?? null) : null,
          ...toFigures(group.figures, within),
          trend: trendOf(group.trend, within),
        };
      }) ?? null,
    groups_other: other,
  };
}

/** The scope of one group. */
function withinGroup(scope: FigureScope, by: ArrivalDimension, key: string): FigureScope {
  const part = {
    carrier: 'carrier',
    lane: 'lane',
    country_lane: 'countryLane',
    transport_mode: 'transportMode',
  } as const;
  return { ...scope, [part[by]]: [key] };
}

function toFigures(figures: ArrivalFigures, scope: FigureScope): WireArrivalFigures {
  const { arrivals, early, onTime, late, unknown, transit, delayCauses, freeTime } = figures;
  return {
    arrivals,
    early,
    on_time: onTime,
    late,
    unknown,
    on_time_share: onTimeShare(figures),
    transit: {
      known: transit.known,
      unknown: arrivals - transit.known,
      median_hours: transit.median,
      p90_hours: transit.p90,
    },
    delay_causes: delayCauses.map(({ cause, arrivals: counted }) => ({
      cause,
      description: delayCauseWords(cause),
      arrivals: counted,
    })),
    free_time: freeTime,
    list: listQueryOf(scope),
  };
}
