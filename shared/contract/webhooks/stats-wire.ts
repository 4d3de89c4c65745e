import { z } from 'zod';
import { maxCountedBacklog } from '#shared/domain/webhooks/endpoint.ts';
import { type EndpointStats, maxStatsHours, type RecentStats, successRate } from '#shared/domain/webhooks/stats.ts';
import { parseQuery } from '../input/parse-query.ts';
import type { RawQuery } from '../operation.ts';
import { count, instant, instantOrNull } from '../schema-parts.ts';

export const statsQuery = z.strictObject({
  hours: z
    .int()
    .min(1)
    .max(maxStatsHours)
    .default(24)
    .meta({ description: `How far the statistics reach back, in hours, 1 to ${maxStatsHours}.`, examples: [24] }),
});

/** Throws LandfallError `validation_failed` or `unknown_parameter`. */
export function parseStatsQuery(query: RawQuery): { hours: number } {
  return parseQuery(statsQuery, query);
}

const latency = (share: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `${share} of the successful tries took at most this long, in milliseconds.`, examples: [83] });

const counts = {
  delivered: count('Deliveries that succeeded.', 1204),
  waiting: count('Deliveries that will be tried again.', 3),
  exhausted: count('Deliveries that were given up.', 0),
  success_rate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: 'Share of the deliveries that succeeded. Null: there was none.', examples: [0.998] }),
  latency_p50_ms: latency('Half'),
  latency_p95_ms: latency('95 %'),
};

/** Recent results of an endpoint in a list. */
export const wireRecentStats = z
  .strictObject({
    hours: z.int().meta({ description: 'How far they reach back.', examples: [24] }),
    ...counts,
    sample: z.boolean().meta({
      description: 'Whether only the newest 2,000 deliveries were counted, because there are more.',
      examples: [false],
    }),
  })
  .meta({ id: 'WebhookRecentStats', description: 'How a webhook endpoint did in the last hours.' });

export function toWireRecentStats(stats: RecentStats): z.infer<typeof wireRecentStats> {
  return { hours: stats.hours, ...toCounts(stats), sample: stats.isSample };
}

/** Statistics of an endpoint. */
export const wireWebhookStats = z
  .strictObject({
    object: z.literal('webhook_stats').meta({ description: 'Always `webhook_stats`.' }),
    hours: z.int().meta({ description: 'How far the statistics reach back.', examples: [24] }),
    ...counts,
    sample: z.boolean().meta({
      description: 'Whether only the newest 100,000 deliveries were counted, because there are more.',
      examples: [false],
    }),
    by_hour: z
      .array(z.strictObject({ hour: instant('Start of the hour, in UTC.'), ...counts }))
      .meta({ description: 'The same by hour, oldest first. Hours without deliveries are left out.' }),
    backlog: z
      .strictObject({
        changes: count(`Changes after the endpoint’s position, counted up to ${maxCountedBacklog}.`, 0),
        waiting: count(`Deliveries to be tried again, counted up to ${maxCountedBacklog}.`, 3),
      })
      .meta({ description: 'Pending deliveries.' }),
    oldest_undelivered_at: instantOrNull('The oldest change that waits for the endpoint. Null: none waits.'),
  })
  .meta({ id: 'WebhookStats', description: 'How a webhook endpoint has done.' });

export function toWireStats(stats: EndpointStats): z.infer<typeof wireWebhookStats> {
  return {
    object: 'webhook_stats',
    hours: stats.hours,
    ...toCounts(stats),
    sample: stats.isSample,
    by_hour: stats.byHour.map((one) => ({ hour: one.hour, ...toCounts(one) })),
    backlog: { changes: stats.backlog.changes, waiting: stats.backlog.waiting },
    oldest_undelivered_at: stats.oldestUndeliveredAt,
  };
}

function toCounts(of: Parameters<typeof successRate>[0]) {
  const rate = successRate(of);
  return {
    delivered: of.delivered,
    waiting: of.waiting,
    exhausted: of.exhausted,
    success_rate: rate === null ? null : Math.round(rate * 10_000) / 10_000,
    latency_p50_ms: of.p50Ms,
    latency_p95_ms: of.p95Ms,
  };
}
