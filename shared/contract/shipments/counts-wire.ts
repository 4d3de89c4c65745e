import { z } from 'zod';
import { type Status, statuses, type TrackingState, trackingStates } from '#shared/domain/shipments/shipment.ts';

const count = z.int().min(0);

function countsOf<Name extends string>(names: readonly Name[]) {
  const fields = names.map(
    (name) => [name, count.meta({ description: `How many are ${name}.`, examples: [12] })] as const,
  );
  return z.strictObject(Object.fromEntries(fields) as Record<Name, typeof count>);
}

/** How many shipments a filter gives. */
export const wireCounts = z.strictObject({
  total: count.meta({
    description:
      'How many shipments match. By `status`, `tracking_state`, `has_exception` and `archived` alone this is exact; with any other filter it is counted to 10,000.',
    examples: [431],
  }),
  total_is_lower_bound: z.boolean().meta({
    description:
      'True when more than 10,000 match and were not all counted: each of the other numbers is then counted to 10,000 by itself or, where that takes too long, is a lower bound too.',
    examples: [false],
  }),
  by_status: countsOf(statuses).meta({ description: 'By status; every status is there.' }),
  by_tracking_state: countsOf(trackingStates).meta({ description: 'By how following stands; every state is there.' }),
  stale: count.meta({
    description: 'Those whose last successful refresh is too old, to 10,000.',
    examples: [2],
  }),
  has_exception: count.meta({ description: 'Those with an open exception.', examples: [17] }),
  as_of: z.iso.datetime().meta({ description: 'When they were counted.', examples: ['2026-04-15T08:00:00.000Z'] }),
});

export type WireCounts = z.infer<typeof wireCounts>;

/** Counts, as `countShipments` of the core gives them. */
export type ShipmentCounts = {
  total: number;
  totalIsLowerBound: boolean;
  byStatus: Record<Status, number>;
  byTrackingState: Record<TrackingState, number>;
  stale: number;
  hasException: number;
  asOf: string;
};

/** The answer of the counts. */
export function toWireCounts(counts: ShipmentCounts): WireCounts {
  return {
    total: counts.total,
    total_is_lower_bound: counts.totalIsLowerBound,
    by_status: counts.byStatus,
    by_tracking_state: counts.byTrackingState,
    stale: counts.stale,
    has_exception: counts.hasException,
    as_of: counts.asOf,
  };
}
