import { z } from 'zod';

/** Ids only: a payload never holds a key, an identifier or a carrier's answer. */
export const refreshItem = z.object({
  accountId: z.uuid(),
  shipmentId: z.uuid(),
  epoch: z.number().int().nonnegative(),
  /** A client asked for it: the refresh goes on in the trace of that request. */
  requested: z.boolean().optional(),
});

export type RefreshItem = z.infer<typeof refreshItem>;

type JobDefinition = { payload: z.ZodType; attempts: number; timeoutMs: number };

/**
 * Every job: its payload's schema and its limits. `attempts` stays 1: giving up is decided in Postgres, where an expired lease is due again.
 * `refresh-shipment` goes to one queue per connector (`refresh.<connector>`).
 */
export const jobs = {
  'refresh-shipment': {
    payload: z.object({
      connector: z.string().min(1),
      items: z.array(refreshItem).min(1).max(100),
      /** It went to the head of its queue: somebody may be waiting for it, and nothing behind it holds it up. */
      hurried: z.boolean().optional(),
    }),
    attempts: 1,
    timeoutMs: 45_000,
  },
} satisfies Record<string, JobDefinition>;

export type JobName = keyof typeof jobs;
export type JobPayload<N extends JobName> = z.infer<(typeof jobs)[N]['payload']>;
