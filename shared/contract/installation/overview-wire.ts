import { z } from 'zod';
import { readInstant } from '../input/read-instant.ts';

const count = z.int().min(0);

/** Not every text of this form is a day that Postgres can read. */
const day = z.iso.date().refine((text) => readInstant(text, 'from') !== null, {
  error: 'must be a date (2026-04-15).',
  params: { code: 'invalid_format' },
});

/** The user's current day, for `arriving_today`. Default: today in UTC. */
export const overviewQuery = z.strictObject({ day: day.optional() });

/** The state of the account's shipments, without archived ones. */
export const wireOverview = z.strictObject({
  /**
   * Every status, in the order of a journey. `late`: shipments under way that are delayed by a day or more, counted up
   * to 1,000 each.
   */
  statuses: z.array(z.strictObject({ status: z.string(), count, late: count })),
  total: count,
  /** Not delivered, returned, failed or cancelled. */
  current: count,
  /** Needs attention: the count of `needs_attention=true` in the list. */
  needs_attention: count,
  /** Current, and needs no attention. */
  rest: count,
  exceptions: count,
  /** The last successful refresh is older than scheduled. Counted up to 500. */
  stale: count,
  /** Under way, with an ETA on the requested day where they arrive. Counted up to 500. */
  arriving_today: count,
  /** Shipments that are not tracked on schedule, by state and reason, and how many of them need attention. */
  failures: z.array(
    z.strictObject({ state: z.string(), reason: z.string().nullable(), count, needs_attention: count }),
  ),
  /** For so many seconds, shipments of the installation have been due and no refresh completed. Null: they complete. */
  stalled_s: count.nullable(),
  as_of: z.iso.datetime(),
});
export type WireOverview = z.infer<typeof wireOverview>;

export type ShownOverview = {
  statuses: readonly { status: string; count: number; late: number }[];
  total: number;
  current: number;
  needsAttention: number;
  rest: number;
  exceptions: number;
  stale: number;
  arrivingToday: number;
  failures: readonly { state: string; reason: string | null; count: number; needsAttention: number }[];
  stalledS: number | null;
  asOf: string;
};

export function toWireOverview(overview: ShownOverview): WireOverview {
  return {
    statuses: overview.statuses.map(({ status, count: counted, late }) => ({ status, count: counted, late })),
    total: overview.total,
    current: overview.current,
    needs_attention: overview.needsAttention,
    rest: overview.rest,
    exceptions: overview.exceptions,
    stale: overview.stale,
    arriving_today: overview.arrivingToday,
    failures: overview.failures.map(({ needsAttention, ...failure }) => ({
      ...failure,
      needs_attention: needsAttention,
    })),
    stalled_s: overview.stalledS === null ? null : Math.round(overview.stalledS),
    as_of: overview.asOf,
  };
}

const wireUsed = z.strictObject({
  used: count,
  /** Seconds until the current minute ends. Null if there is none. */
  ends_in_s: count.nullable(),
});

/** Rate limits per minute of each key and each user, and their current usage. */
export const wireLimits = z.strictObject({
  read: count,
  write: count,
  batch: count,
  mcp: count,
  /** You, then the keys used in the last minutes if you may see keys. Null if the counts are unavailable. */
  usage: z
    .array(
      z.strictObject({
        /** `user_…` or `key_…`. */
        id: z.string(),
        name: z.string(),
        read: wireUsed,
        write: wireUsed,
        batch: wireUsed,
        mcp: wireUsed,
      }),
    )
    .nullable(),
});
export type WireLimits = z.infer<typeof wireLimits>;

/** Number of demonstration shipments that were archived. */
export const wireWiped = z.strictObject({ archived: count });
