import { daysOfInstant, isDay } from '#shared/domain/events/local-day.ts';
import type { ResolvedFilter } from '#shared/domain/lists/filter.ts';

/** The lanes of `f`, in the form of `laneKey`. */
export const laneText = `(f.origin || '-' || f.destination)`;
export const countryLaneText = `(f.origin_country || '-' || f.destination_country)`;

type Add = (value: unknown) => string;

/**
 * The part of a filter that the kept measures answer, as a condition over `s`. `$1` is the account, `$2` the mode. They
 * are what the figures of analytics are counted from, so that a figure and its list agree. Null: it has no such part.
 */
export function measuresCondition(add: Add, filter: ResolvedFilter): string | null {
  const parts: string[] = [];
  arrivedWithin(add, filter, parts);
  if (filter.onTime) parts.push(`f.on_time = any(${add(filter.onTime)}::text[])`);
  if (filter.transitKnown !== undefined) parts.push(`f.transit_hours is ${filter.transitKnown ? 'not ' : ''}null`);
  if (filter.transitMinHours !== undefined) parts.push(`f.transit_hours >= ${add(filter.transitMinHours)}::float8`);
  if (filter.delayCause) parts.push(`f.delay_causes && ${add(filter.delayCause)}::text[]`);
  if (filter.freeTimeOutcome) parts.push(`f.free_time_outcome = any(${add(filter.freeTimeOutcome)}::text[])`);
  // Only lanes are known before the arrival.
  if (parts.length > 0) parts.push('f.arrived_day is not null');
  if (filter.lane) parts.push(`${laneText} = any(${add(filter.lane)}::text[])`);
  if (filter.countryLane) parts.push(`${countryLaneText} = any(${add(filter.countryLane)}::text[])`);
  if (parts.length === 0) return null;
  return `s.id in (
          select f.shipment_id from landfall.shipment_measures as f
          where f.account_id = $1 and f.test = $2 and ${parts.join(' and ')}
        )`;
}

function arrivedWithin(add: Add, { arrivedFrom, arrivedTo }: ResolvedFilter, parts: string[]): void {
  for (const [operator, bound] of [
    ['>=', arrivedFrom],
    ['<=', arrivedTo],
  ] as const) {
    if (bound === undefined) continue;
    if (!isDay(bound)) parts.push(`f.arrived_at ${operator} ${add(bound)}::timestamptz`);
    const { first, last } = isDay(bound) ? { first: bound, last: bound } : daysOfInstant(bound);
    parts.push(`f.arrived_day ${operator} ${add(operator === '>=' ? first : last)}::date`);
  }
}
