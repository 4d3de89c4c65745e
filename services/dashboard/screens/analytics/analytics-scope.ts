import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AnswerOf, InputOf } from '#shared/contract/operations.ts';
import { maxFigureDays, type TrendPeriod } from '#shared/domain/analytics/figures.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { call } from '../../api/call.ts';
import { useNow } from '../../parts/hooks/use-now.ts';
import { useSearchState } from '../../parts/hooks/use-search-state.ts';
import { dayOf } from '../shipments/list-plan.ts';

export type ArrivalReport = AnswerOf<'getArrivalAnalytics'>;
export type ArrivalGroup = NonNullable<ArrivalReport['groups']>[number];
export type ArrivalFigures = Omit<ArrivalGroup, 'key' | 'name' | 'trend'>;
export type TrackingReport = AnswerOf<'getTrackingAnalytics'>;
export type ArrivalQuery = NonNullable<InputOf<'getArrivalAnalytics'>['query']>;

export const presets = [
  { value: '30', name: 'Last 30 days' },
  { value: '', name: 'Last 90 days' },
  { value: '365', name: 'Last 12 months' },
] as const;

const dayMs = 86_400_000;
const maxWeeks = 190;

/** The period, the filters and the grouping of the page, in the URL. */
export type AnalyticsScope = {
  from: string;
  to: string;
  /** A preset, or the first and the last day. */
  days: string;
  mode: string;
  carrier: string;
  trend: TrendPeriod;
  lanes: 'lane' | 'country_lane';
};

export function useAnalyticsScope() {
  const today = dayOf(useNow());
  const [days, setDays] = useSearchState('days');
  const [mode, setMode] = useSearchState('mode');
  const [carrier, setCarrier] = useSearchState('carrier');
  const [trend, setTrend] = useSearchState('trend');
  const [lanes, setLanes] = useSearchState('lanes');
  const period = readPeriod(days, today);
  const isLong = (Date.parse(period.to) - Date.parse(period.from)) / dayMs > maxWeeks;
  const scope: AnalyticsScope = {
    ...period,
    days,
    mode: (transportModes as readonly string[]).includes(mode) ? mode : '',
    carrier: /^[\w-]{2,40}$/.test(carrier) ? carrier : '',
    trend: trend === 'week' || trend === 'month' ? trend : isLong ? 'month' : 'week',
    lanes: lanes === 'country_lane' ? 'country_lane' : 'lane',
  };
  return { scope, today, setDays, setMode, setCarrier, setTrend, setLanes };
}

/** `30`: that many days up to today. `2026-04-01..2026-06-30`: these. Anything else: 90 days. */
export function readPeriod(days: string, today: string): { from: string; to: string } {
  const [from = '', to = ''] = days.split('..');
  if (isPeriod(from, to)) return { from, to };
  const count = days === '30' || days === '365' ? Number(days) : 90;
  return { from: new Date(Date.parse(today) - (count - 1) * dayMs).toISOString().slice(0, 10), to: today };
}

/** True when the API accepts these days as a period. */
export function isPeriod(from: string, to: string): boolean {
  const isDay = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
  const span = (Date.parse(to) - Date.parse(from)) / dayMs;
  return isDay(from) && isDay(to) && span >= 0 && span < maxFigureDays;
}

function filterOf({ from, to, mode, carrier }: AnalyticsScope) {
  return {
    from,
    to,
    ...(mode === '' ? {} : { transport_mode: [mode] as NonNullable<ArrivalQuery['transport_mode']> }),
    ...(carrier === '' ? {} : { carrier: [carrier] }),
  };
}

/** The figures of a page that is left open follow the records. */
const refetchMs = 60_000;

export function arrivalQuery(scope: AnalyticsScope, by: 'carrier' | 'lane' | 'country_lane') {
  const query: ArrivalQuery = { ...filterOf(scope), group_by: by, trend: scope.trend, limit: 30 };
  return queryOptions({
    queryKey: ['analytics', 'arrivals', query],
    queryFn: ({ signal }) => call('getArrivalAnalytics', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });
}

export function trackingQuery(scope: AnalyticsScope) {
  const query = filterOf(scope);
  return queryOptions({
    queryKey: ['analytics', 'tracking', query],
    queryFn: ({ signal }) => call('getTrackingAnalytics', { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });
}

/** The query of a file with one table of the page. */
export function fileQuery(scope: AnalyticsScope, by: 'carrier' | 'lane' | 'country_lane' | null) {
  return { ...filterOf(scope), ...(by === null ? {} : { group_by: by, limit: 100 }), format: 'csv' as const };
}
