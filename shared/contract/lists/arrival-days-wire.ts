import { z } from 'zod';
import { daysBetween } from '#shared/domain/free-time/count-days.ts';
import { type ArrivalDay, maxArrivalDays } from '#shared/domain/lists/arrival-days.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { parseQuery } from '../input/parse-query.ts';
import type { RawQuery } from '../operation.ts';
import { restFilterFields } from './filter-fields.ts';
import { identifierFields } from './identifier-filter-fields.ts';
import { contradictionsOf, toShipmentFilter } from './to-shipment-filter.ts';

const day = z.iso.date({ error: 'must be a date such as 2026-04-15.' });

export const arrivalDaysQuery = z.strictObject({ ...restFilterFields, ...identifierFields, from: day, to: day });

const count = z.int().min(0);

/** Only days that have any, in their order. */
export const wireArrivalDays = z.strictObject({
  days: z.array(z.strictObject({ day: z.string(), expected: count, late: count, arrived: count })).max(maxArrivalDays),
});

export type ArrivalDaysRequest = { filter: ShipmentFilter; from: string; to: string };

/** Parses the query. Throws one LandfallError that names every mistake. */
export function parseArrivalDaysQuery(query: RawQuery): ArrivalDaysRequest {
  const { from, to, ...filter } = parseQuery(arrivalDaysQuery, query, ({ from: first, to: last, ...rest }) => {
    const span = daysBetween(first, last);
    const isPage = span >= 0 && span < maxArrivalDays;
    const detail = `to must be on the day of from or up to ${maxArrivalDays - 1} days later.`;
    return [...contradictionsOf(rest), ...(isPage ? [] : [{ field: 'to', detail }])];
  });
  return { filter: toShipmentFilter(filter), from, to };
}

export function toWireArrivalDays(days: readonly ArrivalDay[]): z.infer<typeof wireArrivalDays> {
  return { days: days.map(({ day: at, expected, late, arrived }) => ({ day: at, expected, late, arrived })) };
}
