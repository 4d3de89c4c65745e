import { z } from 'zod';
import { type ChangeType, changeTypes } from '#shared/domain/feed/change-types.ts';
import { testType } from '#shared/domain/webhooks/delivery.ts';
import { fullBody, summaryBody, testBody, thinBody } from './webhook-body.ts';

/** Subject of a delivery. */
export type WebhookEvent = {
  type: ChangeType | typeof testType;
  summary: string;
  /** The bodies that it can have, by the endpoint's `payload`. */
  bodies: readonly z.ZodType[];
};

const summaries: Readonly<Record<ChangeType, string>> = {
  'shipment.created': 'A shipment was registered.',
  'shipment.updated': 'The record of a shipment changed in a way that no other type describes.',
  'shipment.status_changed': 'The status of a shipment changed.',
  'shipment.eta_changed': 'The expected arrival or delivery of a shipment changed.',
  'shipment.event_added': 'A carrier reported events of a shipment.',
  'shipment.exception_opened': 'An exception of a shipment was opened.',
  'shipment.exception_resolved': 'An exception of a shipment was resolved.',
  'shipment.delivered': 'A shipment was delivered.',
  'shipment.container_added': 'A carrier reported containers of a shipment.',
  'shipment.tracking_state_changed': 'The state of tracking of a shipment changed.',
  'shipment.stale': 'The data of a shipment became older than scheduled.',
  'shipment.overdue': 'The expected arrival of a shipment passed without confirmation.',
  'shipment.free_time_changed': 'The last free day of a container, or the state of its clock, changed.',
  'shipment.assignee_changed': 'A shipment was assigned to a member, or is no longer.',
  'shipment.note_added': 'Somebody added a note to a shipment.',
  'shipment.note_edited': 'The author of a note on a shipment edited it.',
  'shipment.note_deleted': 'Somebody deleted a note on a shipment.',
  'webhook.disabled': 'Landfall disabled a webhook endpoint.',
};

/** Every kind of delivery. */
export const webhookEvents: readonly WebhookEvent[] = [
  ...changeTypes.map((type) => ({ type, summary: summaries[type], bodies: [summaryBody, fullBody, thinBody] })),
  { type: testType, summary: 'Somebody tested a webhook endpoint.', bodies: [testBody] },
];

/** The headers of every delivery. */
export const webhookHeaders = z.object({
  'webhook-id': z.string().meta({
    description: 'Id of the change, the same over all tries. Ignore a delivery whose id you have seen.',
    examples: ['chg_01kahf3m2xfr5tq4d8z9w6c7yb'],
  }),
  'webhook-timestamp': z.string().meta({
    description: 'When this try was sent, in seconds since 1970. Refuse one that is more than five minutes off.',
    examples: ['1776245400'],
  }),
  'webhook-signature': z.string().meta({
    description:
      'HMAC-SHA256 of `webhook-id.webhook-timestamp.body` with the signing secret: `v1,` and base64. During a rotation ' +
      'there are two, separated by a space.',
    examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  }),
  'user-agent': z.string().meta({ description: 'Landfall and its version.', examples: ['Landfall-Webhooks/0.2.0'] }),
  traceparent: z
    .string()
    .optional()
    .meta({
      description: 'W3C trace context of the delivery.',
      examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    }),
});

export const deliveryTerms =
  'A status of 200 to 299 within the timeout of the endpoint is a success. 410 disables the endpoint. Anything else ' +
  'is tried again, up to eleven times within about three days; 429 and 503 obey `Retry-After`. Redirects are not ' +
  'followed. Deliveries are at least once.';
