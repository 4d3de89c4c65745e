import { z } from 'zod';
import {
  type ArrivalDimension,
  arrivalDimensions,
  type FigureScope,
  maxFigureDays,
  maxFigureGroups,
  type TrendPeriod,
  trendPeriods,
} from '#shared/domain/analytics/figures.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { acceptedRanges } from '../input/accepted-ranges.ts';
import { refusal } from '../input/input-mistakes.ts';
import { type Contradiction, parseQuery } from '../input/parse-query.ts';
import { restFilterFields } from '../lists/filter-fields.ts';
import { toShipmentFilter } from '../lists/to-shipment-filter.ts';
import type { RawQuery } from '../operation.ts';

const day = (description: string, example: string) =>
  z.iso
    .date({ error: 'must be a date such as 2026-04-15.' })
    .refine((text) => text >= '1970-01-01' && text <= '9999-12-31', { error: 'must be a date such as 2026-04-15.' })
    .optional()
    .meta({ description, examples: [example] });

const formats = ['json', 'csv'] as const;
export type AnalyticsFormat = (typeof formats)[number];

const formatField = z
  .enum(formats)
  .optional()
  .meta({ description: 'Takes precedence over `Accept`. Default: json.', examples: ['csv'] });

const { transport_mode, carrier, lane, country_lane } = restFilterFields;

export const arrivalAnalyticsQuery = z.strictObject({
  from: day(
    'First day of arrival, at the place of the arrival. Default: 90 days up to `to`, which is included.',
    '2026-04-01',
  ),
  to: day('Last day of arrival, at the place of the arrival. Default: today, in UTC.', '2026-06-30'),
  transport_mode,
  carrier,
  lane,
  country_lane,
  group_by: z
    .enum(arrivalDimensions)
    .optional()
    .meta({
      description: 'Also returns the figures of each group. `lane`: by UN/LOCODEs and IATA codes.',
      examples: ['carrier'],
    }),
  trend: z
    .enum(trendPeriods)
    .optional()
    .meta({
      description: 'Also returns the figures of each period, in total and by group. Weeks are ISO weeks.',
      examples: ['week'],
    }),
  limit: z
    .int()
    .min(1)
    .max(maxFigureGroups)
    .default(50)
    .meta({ description: 'Maximum number of groups: those with the most arrivals.', examples: [20] }),
  format: formatField,
});

export const trackingAnalyticsQuery = z.strictObject({
  from: day('First day of registration, in UTC. Default: 90 days up to `to`, which is included.', '2026-04-01'),
  to: day('Last day of registration, in UTC. Default: today.', '2026-06-30'),
  transport_mode,
  carrier,
  format: formatField,
});

type AskedScope = Omit<FigureScope, 'from' | 'to'> & { from: string | null; to: string | null };

export type ArrivalAnalyticsRequest = {
  scope: AskedScope;
  by: ArrivalDimension | null;
  trend: TrendPeriod | null;
  limit: number;
  format: AnalyticsFormat;
};

export type TrackingAnalyticsRequest = { scope: AskedScope; format: AnalyticsFormat };

/** Throws LandfallError `validation_failed`, `unknown_parameter`, or `not_acceptable`. */
export function parseArrivalAnalyticsQuery(query: RawQuery, accept: string | undefined): ArrivalAnalyticsRequest {
  const parsed = parseQuery(arrivalAnalyticsQuery, query, daysInOrder);
  const { from = null, to = null, group_by, trend, limit, format, ...filter } = parsed;
  const { transportMode, carrier: carriers, lane: lanes, countryLane } = toShipmentFilter(filter);
  return {
    scope: { from, to, transportMode, carrier: carriers, lane: lanes, countryLane },
    by: group_by ?? null,
    trend: trend ?? null,
    limit,
    format: format ?? acceptedFormat(accept),
  };
}

/** Throws like the other. */
export function parseTrackingAnalyticsQuery(query: RawQuery, accept: string | undefined): TrackingAnalyticsRequest {
  const { from = null, to = null, format, ...filter } = parseQuery(trackingAnalyticsQuery, query, daysInOrder);
  const { transportMode, carrier: carriers } = toShipmentFilter(filter);
  return { scope: { from, to, transportMode, carrier: carriers }, format: format ?? acceptedFormat(accept) };
}

const dayMs = 86_400_000;
const defaultDays = 90;

/** Fills in the days that were not asked for. Throws LandfallError `validation_failed` if they are too many. */
export function withDays<Scope extends AskedScope>(scope: Scope, now: Date): Scope & { from: string; to: string } {
  const dayBefore = (from: string, days: number) =>
    new Date(Date.parse(`${from}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10);
  const today = now.toISOString().slice(0, 10);
  const to = scope.to ?? (scope.from !== null && scope.from > today ? scope.from : today);
  const from = scope.from ?? dayBefore(to, defaultDays - 1);
  if (from < dayBefore(to, maxFigureDays - 1))
    throw refusal([
      {
        pointer: '?from',
        code: 'too_long',
        detail: `from and to may be ${maxFigureDays} days apart at most. Ask for a shorter period.`,
      },
    ]);
  return { ...scope, from, to };
}

function daysInOrder({ from, to }: { from?: string | undefined; to?: string | undefined }): Contradiction[] {
  return from !== undefined && to !== undefined && from > to ? [{ field: 'to', detail: 'to is before from.' }] : [];
}

function acceptedFormat(accept: string | undefined): AnalyticsFormat {
  const ranges = acceptedRanges(accept);
  if (ranges === null) return 'json';
  for (const range of ranges) {
    if (['application/json', 'application/*', '*/*'].includes(range)) return 'json';
    if (['text/csv', 'text/*'].includes(range)) return 'csv';
  }
  throw new LandfallError('not_acceptable', 'Figures are application/json or text/csv. Allow one of them in Accept.');
}
