import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import {
  deliveryTerms,
  type WebhookEvent,
  webhookEvents,
  webhookHeaders,
} from '#shared/contract/webhooks/webhook-events.ts';

/** The `webhooks` of the OpenAPI document: what endpoints receive, by type. */
export function webhookSection(): Record<string, ZodOpenApiPathItemObject> {
  return Object.fromEntries(webhookEvents.map((event) => [event.type, { post: describeDelivery(event) }]));
}

function describeDelivery({ type, summary, bodies }: WebhookEvent) {
  const [first, ...others] = bodies;
  const schema =
    others.length === 0 ? first : z.union(bodies).meta({ description: 'By the `payload` of the endpoint.' });
  return {
    operationId: operationIdOf(type),
    tags: ['Webhooks'],
    summary,
    description: deliveryTerms,
    security: [],
    requestParams: { header: webhookHeaders },
    requestBody: {
      description: 'The delivery.',
      required: true,
      content: { 'application/json': { schema: schema as z.ZodType } },
    },
    responses: {
      '200': { description: 'Received. Any status of 200 to 299 will do.' },
      '410': { description: 'The receiver is gone: the endpoint is disabled.' },
    },
  };
}

/** `shipment.status_changed` becomes `onShipmentStatusChanged`. */
function operationIdOf(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `on${words.join('')}`;
}
