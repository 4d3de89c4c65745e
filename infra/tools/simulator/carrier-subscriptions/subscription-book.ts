import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { dcsaDialect } from '../ocean/dcsa-dialect.ts';
import { type EventQuery, type QueryTexts, readEventQuery } from '../ocean/event-query.ts';

/** HMAC keys of the reference implementation have 32 to 64 bytes. */
const secretSchema = z
  .string()
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'secret must be base64')
  .refine((text) => bytesOf(text) >= 32 && bytesOf(text) <= 64, 'secret must have 32 to 64 bytes');

const listFilters = [
  'eventType',
  'shipmentEventTypeCode',
  'documentTypeCode',
  'transportEventTypeCode',
  'equipmentEventTypeCode',
] as const;
const textFilters = [
  'carrierBookingReference',
  'transportDocumentReference',
  'equipmentReference',
  'transportCallID',
  'vesselIMONumber',
  'carrierServiceCode',
  'exportVoyageNumber',
  'UNLocationCode',
] as const;
const wishShape = {
  callbackUrl: z.url({ protocol: /^https?$/ }),
  ...Object.fromEntries(listFilters.map((name) => [name, z.array(z.string()).optional()])),
  ...Object.fromEntries(textFilters.map((name) => [name, z.string().min(1).optional()])),
};

/** Bodies of POST and PUT …/event-subscriptions (DCSA Track & Trace 2.2). Only POST accepts a secret. */
export const createSchema = z.object({ ...wishShape, secret: secretSchema });
export const replaceSchema = z.object({
  ...wishShape,
  secret: z.undefined('secret can only be changed by PUT …/secret').optional(),
});
export const rotateSchema = z.object({ secret: secretSchema });

/**
 * A stored subscription. `scac`: the line whose endpoint made it; null is the endpoint of all lines. `deliveredMs`: the
 * subscriber has received everything up to this moment (real clock, epoch ms).
 */
export const subscriptionSchema = z.object({
  subscriptionID: z.string(),
  scac: z.string().nullable().default(null),
  callbackUrl: z.string(),
  secret: z.string(),
  filters: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  deliveredMs: z.number(),
});
export type Subscription = z.output<typeof subscriptionSchema>;

export type SubscriptionBook = {
  list: () => Subscription[];
  find: (id: string) => Subscription | null;
  add: (wish: z.output<typeof createSchema>, scac: string | null) => Subscription;
  replace: (subscription: Subscription, wish: z.output<typeof replaceSchema>) => void;
  rotate: (subscription: Subscription, secret: string) => void;
  remove: (subscription: Subscription) => void;
  /** Records that the subscriber has received everything up to this moment. */
  noteDelivered: (subscription: Subscription, atMs: number) => void;
};

/** The subscriptions of the standard's endpoint. `onChange` receives all of them after each change. */
export function createSubscriptionBook(options: {
  now: () => number;
  kept: Subscription[];
  onChange: (subscriptions: Subscription[]) => void;
}): SubscriptionBook {
  const byId = new Map(options.kept.map((subscription) => [subscription.subscriptionID, subscription]));
  const changed = (): void => options.onChange([...byId.values()]);
  return {
    list: () => [...byId.values()],
    find: (id) => byId.get(id) ?? null,
    add: ({ callbackUrl, secret, ...filters }, scac) => {
      const subscription: Subscription = {
        subscriptionID: randomUUID(),
        scac,
        callbackUrl,
        secret,
        filters: present(filters),
        deliveredMs: options.now(),
      };
      byId.set(subscription.subscriptionID, subscription);
      changed();
      return subscription;
    },
    replace: (subscription, { callbackUrl, secret: _none, ...filters }) => {
      subscription.callbackUrl = callbackUrl;
      subscription.filters = present(filters);
      changed();
    },
    rotate: (subscription, secret) => {
      subscription.secret = secret;
      changed();
    },
    remove: (subscription) => {
      byId.delete(subscription.subscriptionID);
      changed();
    },
    noteDelivered: (subscription, atMs) => {
      subscription.deliveredMs = atMs;
      changed();
    },
  };
}

/** Parses a subscription's filters like a query for events and lists the mistakes. */
export function queryOf(filters: Subscription['filters']): { query: EventQuery; mistakes: string[] } {
  const texts: QueryTexts = Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, [value].flat().join(',')]),
  );
  return readEventQuery(texts, dcsaDialect.style);
}

/** The subscription without its secret. */
export function publicFields({ subscriptionID, callbackUrl, filters }: Subscription): Record<string, unknown> {
  return { subscriptionID, callbackUrl, ...filters };
}

function present(filters: Record<string, unknown>): Subscription['filters'] {
  return subscriptionSchema.shape.filters.parse(
    Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
  );
}

function bytesOf(base64: string): number {
  return Buffer.from(base64, 'base64').length;
}
