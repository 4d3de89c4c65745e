import { z } from 'zod';
import { maxEndpoints } from '#shared/domain/webhooks/endpoint.ts';

/** Ids only: a payload never contains a key, a shipment identifier or a carrier's response. */
export const refreshItem = z.object({
  accountId: z.uuid(),
  shipmentId: z.uuid(),
  epoch: z.number().int().nonnegative(),
  /** A client requested it: the refresh continues the trace of that request. */
  requested: z.boolean().optional(),
});

export type RefreshItem = z.infer<typeof refreshItem>;

/** Claimed webhook endpoints of one account. */
const webhookItem = z.object({
  accountId: z.uuid(),
  endpoints: z
    .array(z.object({ id: z.uuid(), epoch: z.number().int().nonnegative() }))
    .min(1)
    .max(maxEndpoints),
});

export type WebhookItem = z.infer<typeof webhookItem>;

type JobDefinition = { payload: z.ZodType; attempts: number; timeoutMs: number };

/**
 * All jobs, each with the schema of its payload and its limits. `attempts` stays 1 because retries are decided in
 * Postgres, where a shipment or an endpoint with an expired lease is due again. `refresh-shipment` goes to one queue per
 * connector (`refresh.<connector>`), and `deliver-webhooks` to the queue `webhooks`.
 */
export const jobs = {
  'refresh-shipment': {
    payload: z.object({
      connector: z.string().min(1),
      items: z.array(refreshItem).min(1).max(100),
      /** A client may be waiting for it: the job went to the head of its queue. */
      hurried: z.boolean().optional(),
    }),
    attempts: 1,
    timeoutMs: 45_000,
  },
  'deliver-webhooks': { payload: webhookItem, attempts: 1, timeoutMs: 45_000 },
} satisfies Record<string, JobDefinition>;

export type JobName = keyof typeof jobs;
export type JobPayload<N extends JobName> = z.infer<(typeof jobs)[N]['payload']>;
