import { z } from 'zod';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import {
  type DeliveryTry,
  deliveryStates,
  keptAnswerBytes,
  type WebhookDelivery,
} from '#shared/domain/webhooks/delivery.ts';
import { deliveryErrors, describeTry } from '#shared/domain/webhooks/delivery-error.ts';
import type { ComposedWebhook } from '#shared/domain/webhooks/send-webhook.ts';
import { toChangeId } from '../feed/change-wire.ts';
import { toShipmentId } from '../record/shipment-id.ts';
import { count, instant, instantOrNull, openEnum, textOrNull } from '../schema-parts.ts';
import { endpointIdField, toEndpointId } from './endpoint-wire.ts';

/** The public id of a delivery. */
export function toDeliveryId(uuid: string): string {
  return encodeTypeId('dlv', uuid);
}

/** The uuid of a public id of a delivery, or null if the text is not one. */
export function readDeliveryId(text: string): string | null {
  return decodeTypeId('dlv', text);
}

const status = z
  .int()
  .nullable()
  .meta({ description: 'HTTP status of the response. Null: there was none.', examples: [200] });
const latency = z
  .int()
  .min(0)
  .nullable()
  .meta({
    description: 'Milliseconds from the request to the end of the response. Null: no request was sent.',
    examples: [83],
  });
const error = openEnum(
  Object.keys(deliveryErrors),
  'Why there was no usable response. Null: there was one, or no try yet.',
  ['timeout'],
).nullable();
const detail = textOrNull('Error as a sentence. Null: none.', 'The receiver did not respond in time.');
const traceId = textOrNull('Id of the trace.', '4bf92f3577b34da6a3ce929d0e0e4736');

/** A delivery with its last try. */
export const wireWebhookDelivery = z
  .strictObject({
    delivery_id: z.string().meta({
      description: 'Id of the delivery: `dlv_` followed by 26 characters.',
      examples: ['dlv_01kahf3m2xfr5tq4d8z9w6c7yb'],
    }),
    object: z.literal('webhook_delivery').meta({ description: 'Always `webhook_delivery`.' }),
    webhook_endpoint_id: endpointIdField,
    webhook_id: z.string().meta({
      description: 'Id of the change: the `webhook-id` header of every try.',
      examples: ['chg_01kahf3m2xfr5tq4d8z9w6c7yb'],
    }),
    position: z
      .int()
      .nullable()
      .meta({ description: 'Position of the change in the feed. Null: a test.', examples: [4711] }),
    type: z.string().meta({ description: 'Type of the change, or `webhook.test`.', examples: ['shipment.delivered'] }),
    shipment_id: z
      .string()
      .nullable()
      .meta({
        description: 'The shipment that changed. Null: none did.',
        examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'],
      }),
    outcome: openEnum(
      deliveryStates,
      '`delivered`: the receiver responded with a status of 200 to 299. `waiting`: there will be another try. ' +
        '`exhausted`: given up after the last try.',
    ),
    tries: count('Number of tries.', 1),
    next_try_at: instantOrNull('When it will be tried next, at the earliest. Null: never.'),
    tried_at: instantOrNull('The last try. Null: none yet.'),
    status,
    latency_ms: latency,
    error,
    detail,
    trace_id: traceId,
    created_at: instant('When the delivery was first tried or requested.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'A delivery to a webhook endpoint, with its last try.' });

const wireTry = z.strictObject({
  at: instant('When the request was sent.'),
  status,
  latency_ms: latency,
  error,
  detail,
  answer: z
    .string()
    .nullable()
    .meta({
      description: `Start of the response’s body, up to ${keptAnswerBytes} bytes. Null: it was empty, or there was none.`,
      examples: ['{"error":"queue full"}'],
    }),
  trace_id: traceId,
});

/** A delivery with its request and every try. */
export const wireWebhookDeliveryRecord = wireWebhookDelivery
  .extend({
    request: z
      .strictObject({
        url: z.string().meta({ description: 'Where it goes.', examples: ['https://example.com/hooks/landfall'] }),
        headers: z.record(z.string(), z.string()).meta({
          description: 'Headers as of the last try. Values of custom headers are shown as `***`.',
          examples: [{ 'webhook-id': 'chg_01kahf3m2xfr5tq4d8z9w6c7yb' }],
        }),
        body: z.string().meta({
          description: 'The body, byte for byte.',
          examples: ['{"type":"shipment.delivered","timestamp":"2026-04-15T09:30:00.000Z","data":{}}'],
        }),
      })
      .nullable()
      .meta({
        description:
          'The request with the present settings of the endpoint. Null if the feed no longer has the change, or for ' +
          'a test.',
      }),
    every_try: z.array(wireTry).meta({ description: 'The tries, oldest first: the last one and up to 50 before it.' }),
  })
  .meta({ id: 'WebhookDeliveryRecord', description: 'A delivery with its request and every try.' });

/** One page of deliveries. */
export const wireWebhookDeliveryList = z
  .strictObject({
    data: z.array(wireWebhookDelivery).meta({ description: 'The deliveries, newest first.' }),
    page: z
      .strictObject({
        limit: z.int().meta({ description: 'Page size.', examples: [25] }),
        has_more: z.boolean().meta({
          description:
            'Whether there may be another page. A page of a rare selection may have fewer entries than `limit`.',
          examples: [false],
        }),
        next_cursor: z
          .string()
          .nullable()
          .meta({ description: '`cursor` of the next page. Null on the last page.', examples: [null] }),
      })
      .meta({ description: 'Pagination.' }),
  })
  .meta({ id: 'WebhookDeliveryList', description: 'One page of deliveries.' });

export type WireWebhookDelivery = z.infer<typeof wireWebhookDelivery>;

export function toWireDelivery(delivery: WebhookDelivery): WireWebhookDelivery {
  return {
    delivery_id: toDeliveryId(delivery.id),
    object: 'webhook_delivery',
    webhook_endpoint_id: toEndpointId(delivery.endpointId),
    webhook_id: toChangeId(delivery.changeId),
    position: delivery.sequence,
    type: delivery.type,
    shipment_id: delivery.shipmentId === null ? null : toShipmentId(delivery.shipmentId),
    outcome: delivery.state,
    tries: delivery.tries,
    next_try_at: delivery.nextTryAt,
    tried_at: delivery.triedAt,
    status: delivery.status,
    latency_ms: delivery.latencyMs,
    error: delivery.error,
    detail: describeTry(delivery),
    trace_id: delivery.traceId,
    created_at: delivery.createdAt,
  };
}

/** A delivery, as `getWebhookDelivery` of the core returns it. */
export type ShownDelivery = WebhookDelivery & {
  everyTry: readonly DeliveryTry[];
  request: (ComposedWebhook & { url: string }) | null;
};

export function toWireDeliveryRecord({
  everyTry,
  request,
  ...delivery
}: ShownDelivery): z.infer<typeof wireWebhookDeliveryRecord> {
  return {
    ...toWireDelivery(delivery),
    request: request && { url: request.url, headers: { ...request.headers }, body: request.body },
    every_try: everyTry.map(({ at, status, latencyMs, error, answer, traceId }) => ({
      at,
      status,
      latency_ms: latencyMs,
      error,
      detail: describeTry({ status, error }),
      answer,
      trace_id: traceId,
    })),
  };
}
