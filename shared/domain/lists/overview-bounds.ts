import type { Status } from '../record/shipment.ts';

/**
 * Limits of the counts on the overview: counting further costs as much each time and changes nothing about what to do.
 * `late`: per status. A count that reached its limit is shown as a lower bound.
 */
export const overviewBounds = { late: 1000, stale: 500, arriving: 500 } as const;

/** Statuses before the arrival: `arriving` counts them, and the list of arrivals shows them. */
export const arrivingStatuses = [
  'pending',
  'booked',
  'in_transit',
  'out_for_delivery',
] as const satisfies readonly Status[];

/** The count in words: `1,000+` once it reached the limit. */
export function countedTo(count: number, bound: number): string {
  return `${count.toLocaleString('en')}${count >= bound ? '+' : ''}`;
}
