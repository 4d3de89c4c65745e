import {
  type ArrivalDimension,
  type ArrivalFigures,
  type ArrivalReport,
  type FigureScope,
  noArrivals,
  noSpread,
  periodsOf,
  type TrackingFigures,
  type TrackingReport,
  type TrendPeriod,
  type TrendPoint,
} from '#shared/domain/analytics/figures.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { type FigureRow, readArrivalFigures } from '#shared/store/analytics/arrival-figures.ts';
import { readKeptState } from '#shared/store/analytics/cursors.ts';
import { readTrackingFigures } from '#shared/store/analytics/tracking-figures.ts';
import { withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export type ArrivalsInput = {
  scope: FigureScope;
  by: ArrivalDimension | null;
  trend: TrendPeriod | null;
  /** Groups to return. */
  limit: number;
};

/**
 * Reports the arrivals of a period: on time or not, the transit times, and the causes of delays. Reads kept counts
 * alone.
 */
export function readArrivalReport(
  ctx: CoreContext,
  { accountId, test }: Caller,
  { scope, by, trend, limit }: ArrivalsInput,
): Promise<ArrivalReport> {
  const key = { accountId, test };
  return withAccountReads(ctx.store, accountId, async (tx) => {
    const { asOf, isComplete } = await readKeptState(tx, key);
    const periods = trend === null ? [] : periodsOf(scope, trend);
    const read = async (query: { by: ArrivalDimension | null; limit?: number }) => {
      const rows = await readArrivalFigures(tx, key, { scope, query: { ...query, period: trend } });
      const trends = Map.groupBy(rows, (row) => row.key);
      const wholes = rows.filter(({ period }) => period === '');
      return wholes.map((whole) => ({ ...whole, trend: pointsOf(periods, trends.get(whole.key) ?? []) }));
    };
    const [all] = await read({ by: null });
    const total = all?.figures ?? noArrivals;
    const kept = { asOf, isComplete, total, trend: all?.trend ?? pointsOf(periods, []) };
    if (by === null) return { ...kept, groups: null, other: 0 };
    const groups = (await read({ by, limit })).map(({ key: name, figures, trend: points }) => ({
      key: name,
      figures,
      trend: points,
    }));
    const other = total.arrivals - sum(groups.map(({ figures }) => figures.arrivals));
    return { ...kept, groups, other };
  });
}

/** Every period of the scope, also those without arrivals. */
function pointsOf(periods: ReturnType<typeof periodsOf>, rows: readonly FigureRow[]): TrendPoint[] {
  const found = new Map<string, ArrivalFigures>(rows.map(({ period, figures }) => [period, figures]));
  return periods.map((point) => ({ ...point, figures: found.get(point.period) ?? noArrivals }));
}

const nothingTracked: TrackingFigures = {
  registered: 0,
  firstEvent: noSpread,
  tracked: 0,
  current: 0,
  stale: 0,
  waiting: 0,
  notFound: 0,
  failed: 0,
};

/**
 * Reports tracking health: the time to the first event for registrations of a period, and the present state of open
 * shipments.
 */
export function readTrackingReport(
  ctx: CoreContext,
  { accountId, test }: Caller,
  scope: Pick<FigureScope, 'from' | 'to' | 'transportMode' | 'carrier'>,
): Promise<TrackingReport> {
  const key = { accountId, test };
  return withAccountReads(ctx.store, accountId, async (tx) => {
    const state = await readKeptState(tx, key);
    const rows = await readTrackingFigures(tx, key, scope);
    return {
      ...state,
      total: rows.find(({ carrier }) => carrier === null)?.figures ?? nothingTracked,
      carriers: rows.flatMap(({ carrier, figures }) => (carrier === null ? [] : [{ carrier, figures }])),
    };
  });
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
