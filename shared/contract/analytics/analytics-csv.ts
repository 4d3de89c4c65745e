import { delayCauseWords } from '#shared/domain/analytics/delay-causes.ts';
import { freeTimeOutcomes } from '#shared/domain/analytics/free-time-outcome.ts';
import { csvCell } from '../lists/export-rows.ts';
import type { WireArrivalAnalytics, WireArrivalFigures } from './arrival-wire.ts';
import type { WireTrackingAnalytics } from './tracking-wire.ts';

type Cell = string | number | null;

const arrivalColumns = [
  'key',
  'name',
  'period',
  'from',
  'to',
  'arrivals',
  'early',
  'on_time',
  'late',
  'unknown',
  'on_time_share',
  'transit_known',
  'transit_unknown',
  'transit_median_hours',
  'transit_p90_hours',
  'delay_causes',
  ...freeTimeOutcomes.map((outcome) => `free_time_${outcome}`),
  'list',
];

/** A row for each group, or for each of its periods. Without groups, `key` is `total`. */
export function arrivalAnalyticsCsv(report: WireArrivalAnalytics): string {
  const { from, to } = report;
  const subjects = report.groups ?? [{ key: 'total', name: null, ...report.total }];
  const rows = subjects.flatMap((subject): Cell[][] => {
    const { key, name, trend } = subject;
    if (trend.length === 0) return [[key, name, null, from, to, ...figureCells(subject)]];
    return trend.map((point) => [key, name, point.period, point.from, point.to, ...figureCells(point)]);
  });
  return linesOf(arrivalColumns, rows);
}

function figureCells(figures: WireArrivalFigures): Cell[] {
  const { transit } = figures;
  const causes = figures.delay_causes.map(({ cause, arrivals }) => `${delayCauseWords(cause)}: ${arrivals}`);
  return [
    figures.arrivals,
    figures.early,
    figures.on_time,
    figures.late,
    figures.unknown,
    shareCell(figures.on_time_share),
    transit.known,
    transit.unknown,
    transit.median_hours,
    transit.p90_hours,
    causes.join('; ') || null,
    ...freeTimeOutcomes.map((outcome) => figures.free_time[outcome]),
    figures.list,
  ];
}

const trackingColumns = [
  'key',
  'name',
  'registered',
  'with_events',
  'first_event_median_minutes',
  'first_event_p90_minutes',
  'tracked',
  'current',
  'current_share',
  'stale',
  'waiting',
  'not_found',
  'failed',
  'registered_list',
  'tracked_list',
] as const;

/** A row for each carrier, and before them the one of all. */
export function trackingAnalyticsCsv(report: WireTrackingAnalytics): string {
  const rows = [{ key: 'total', name: null, ...report.total }, ...report.groups].map((row): Cell[] => [
    row.key,
    row.name,
    row.registered,
    row.with_events,
    row.first_event.median_minutes,
    row.first_event.p90_minutes,
    row.tracked,
    row.current,
    shareCell(row.current_share),
    row.stale,
    row.waiting,
    row.not_found,
    row.failed,
    row.registered_list,
    row.tracked_list,
  ]);
  return linesOf(trackingColumns, rows);
}

/** Ten thousandths: more digits say nothing. */
function shareCell(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000;
}

/** RFC 4180, with a header. */
function linesOf(columns: readonly string[], rows: readonly Cell[][]): string {
  return [columns, ...rows].map((row) => `${row.map((cell) => csvCell(cell)).join(',')}\r\n`).join('');
}
