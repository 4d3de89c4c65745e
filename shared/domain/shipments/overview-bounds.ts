import type { Status } from './shipment.ts';

/**
 * Counted no further on a page that everybody has open: finding out how many more there are costs as much each time, and changes nothing about
 * what to do. `late`: of each status. Whoever shows a count that reached its bound says that there may be more.
 */
export const overviewBounds = { late: 1000, stale: 500, arriving: 500 } as const;

/** Where the arrival is still to come: what `arriving` counts, and what a list of arrivals shows. */
export const arrivingStatuses = [
  'pending',
  'booked',
  'in_transit',
  'out_for_delivery',
] as const satisfies readonly Status[];

/** As people read it: `1,000+` once it reached the bound. */
export function countedTo(count: number, bound: number): string {
  return `${count.toLocaleString('en')}${count >= bound ? '+' : ''}`;
}
