import { z } from 'zod';
import type { OperationsHistory } from '#shared/domain/installation/history.ts';

const trend = z.array(z.number().nullable());

/** The last 24 hours, oldest first. Null: no worker was running, so nobody knows. */
export const wireOperationsHistory = z.strictObject({
  /** The worst of each quarter of an hour. */
  trends: z.strictObject({
    oldest_due_s: trend,
    calls_per_minute: trend,
    troubled: trend,
    failed_refreshes: trend,
    feed_age_s: trend,
  }),
  /** Calls of each half hour by connector: how many, how many succeeded, and 1 if some were rate-limited. */
  bars: z.record(z.string(), z.array(z.tuple([z.int(), z.int(), z.literal([0, 1])]).nullable())),
});
export type WireOperationsHistory = z.infer<typeof wireOperationsHistory>;

export function toWireOperationsHistory({ trends, bars }: OperationsHistory): WireOperationsHistory {
  return {
    trends: {
      oldest_due_s: trends.oldestDueS,
      calls_per_minute: trends.callsPerMinute,
      troubled: trends.troubled,
      failed_refreshes: trends.failedRefreshes,
      feed_age_s: trends.feedAgeS,
    },
    bars: Object.fromEntries(
      Object.entries(bars).map(([connector, slots]) => [
        connector,
        slots.map((calls) => calls && [calls.requests, calls.succeeded, calls.limited ? 1 : 0]),
      ]),
    ),
  };
}
