import { z } from 'zod';
import { readMoment } from '../moment.ts';

const count = z.int().min(0);

const longestDayMs = 48 * 3_600_000;

/** Not every text of this form is a time that Postgres reads. */
const moment = z.iso.datetime().refine((text) => readMoment(text, 'from') !== null, {
  error: 'must be a time in UTC (2026-04-15T08:00:00Z)',
  params: { code: 'invalid_format' },
});

/** The first and the last moment of the day of whoever asks, for `arriving_today`; without them it is this day in UTC. */
export const overviewQuery = z
  .strictObject({ day_from: moment.optional(), day_to: moment.optional() })
  .refine(
    ({ day_from: from, day_to: to }) =>
      (from ?? to) === undefined || isDay(Date.parse(to ?? '') - Date.parse(from ?? '')),
    {
      path: ['day_to'],
      message: 'must be within two days after day_from',
    },
  );

function isDay(ms: number): boolean {
  return ms > 0 && ms <= longestDayMs;
}

/** What there is to see of an account's shipments, archived ones aside. */
export const wireOverview = z.strictObject({
  /** In the order of a journey, every status. `late`: of those under way, how many arrive a day or more later than first said, to 1,000 each. */
  statuses: z.array(z.strictObject({ status: z.string(), count, late: count })),
  total: count,
  /** Not delivered, returned, failed or cancelled. */
  current: count,
  /** With an open exception, or not followed any more because something must be put right. */
  needs_you: count,
  /** Current, and not among those that need somebody. */
  rest: count,
  exceptions: count,
  /** The carrier has not answered for too long; counted to 500. */
  stale: count,
  /** Under way, with an ETA of the day that was asked for; counted to 500. */
  arriving_today: count,
  /** What is not, or badly, followed, by state. */
  failures: z.array(z.strictObject({ state: z.string(), count })),
  as_of: z.iso.datetime(),
});
export type WireOverview = z.infer<typeof wireOverview>;

export type ShownOverview = {
  statuses: readonly { status: string; count: number; late: number }[];
  total: number;
  current: number;
  needsYou: number;
  rest: number;
  exceptions: number;
  stale: number;
  arrivingToday: number;
  failures: readonly { state: string; count: number }[];
  asOf: string;
};

export function toWireOverview(overview: ShownOverview): WireOverview {
  return {
    statuses: overview.statuses.map(({ status, count: counted, late }) => ({ status, count: counted, late })),
    total: overview.total,
    current: overview.current,
    needs_you: overview.needsYou,
    rest: overview.rest,
    exceptions: overview.exceptions,
    stale: overview.stale,
    arriving_today: overview.arrivingToday,
    failures: overview.failures.map(({ state, count: counted }) => ({ state, count: counted })),
    as_of: overview.asOf,
  };
}

const wireUsed = z.strictObject({
  used: count,
  /** Until the minute that is counted is over; null: none has begun. */
  ends_in_s: count.nullable(),
});

/** Requests a minute of each key and each person, and what is used of it now. */
export const wireLimits = z.strictObject({
  read: count,
  write: count,
  batch: count,
  mcp: count,
  /** You, then the keys that were used in the last minutes, where you may see keys; null: the counts are away for the moment. */
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

/** How many demonstration shipments were archived. */
export const wireWiped = z.strictObject({ archived: count });
