import { z } from 'zod';
import type { Operations } from '../operation.ts';
import { wireWebhookDelivery, wireWebhookDeliveryList, wireWebhookDeliveryRecord } from './delivery-wire.ts';
import { parseReplayBody, replayBody, wireWebhookReplay, wireWebhookReplayList } from './replay-wire.ts';
import {
  deliveryParams,
  endpointParams,
  listDeliveriesQuery,
  listReplaysQuery,
  parseDeliveryParams,
  parseEndpointParams,
  parseListDeliveriesQuery,
  parseListReplaysQuery,
  parseReplayParams,
  replayParams,
} from './webhook-queries.ts';

const common = { access: 'key_or_session', tag: 'Webhooks', scope: 'webhooks:manage' } as const;
const ofEndpoint = { ...common, params: endpointParams, parseParams: parseEndpointParams } as const;
const ofDelivery = { ...common, params: deliveryParams, parseParams: parseDeliveryParams } as const;
const ofReplay = { ...common, params: replayParams, parseParams: parseReplayParams } as const;
const replayAnswer = { 200: { description: 'The replay.', schema: wireWebhookReplay } };
const link = {
  Link: { description: 'The next page: `<…>; rel="next"`. Absent on the last page.', schema: z.string() },
};

export const deliveryOperations = {
  listWebhookDeliveries: {
    ...ofEndpoint,
    method: 'GET',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/deliveries',
    summary: 'List deliveries',
    description:
      'Returns the deliveries of an endpoint with their last try, newest first. Deliveries are kept for 7 days ' +
      'unless the installation sets another period; those that did not succeed for at least 30 days.',
    limit: 'read',
    query: listDeliveriesQuery,
    parseQuery: parseListDeliveriesQuery,
    answers: { 200: { description: 'One page.', schema: wireWebhookDeliveryList, headers: link } },
    errors: ['validation_failed', 'unknown_parameter', 'invalid_cursor', 'webhook_endpoint_not_found'],
  },
  getWebhookDelivery: {
    ...ofDelivery,
    method: 'GET',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}',
    summary: 'Get a delivery',
    description: 'Returns the delivery with its request, headers and body, and every try with its response.',
    limit: 'read',
    answers: { 200: { description: 'The delivery.', schema: wireWebhookDeliveryRecord } },
    errors: ['unknown_parameter', 'webhook_endpoint_not_found', 'webhook_delivery_not_found'],
  },
  resendWebhookDelivery: {
    ...ofDelivery,
    method: 'POST',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend',
    summary: 'Send a delivery again',
    description:
      'Makes the delivery due at once, whatever its outcome was, with the same `webhook-id`. Safe to repeat: while ' +
      'it waits, it is sent once.',
    limit: 'write',
    answers: { 202: { description: 'The delivery, waiting for its next try.', schema: wireWebhookDelivery } },
    errors: [
      'unknown_field',
      'validation_failed',
      'unknown_parameter',
      'webhook_endpoint_not_found',
      'webhook_delivery_not_found',
      'invalid_state',
    ],
  },
  replayWebhookEndpoint: {
    ...ofEndpoint,
    method: 'POST',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/replay',
    summary: 'Replay changes',
    description:
      'Sends the changes of a range again, those that the endpoint selects, with the same `webhook-id` each. Returns ' +
      'at once; read the progress with the replay. An endpoint has one running replay at most.',
    limit: 'write',
    body: {
      schema: replayBody,
      parse: parseReplayBody,
      description: 'The range. Default: everything that is kept.',
      required: false,
      examples: {
        outage: {
          summary: 'Failed deliveries of an outage',
          value: { from: '2026-04-15T08:00:00Z', to: '2026-04-15T11:30:00Z', failed_only: true },
        },
      },
    },
    answers: { 202: { description: 'The replay.', schema: wireWebhookReplay } },
    errors: [
      'invalid_json',
      'validation_failed',
      'unknown_field',
      'unknown_parameter',
      'webhook_endpoint_not_found',
      'invalid_state',
    ],
  },
  listWebhookReplays: {
    ...ofEndpoint,
    method: 'GET',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/replays',
    summary: 'List replays',
    description: 'Returns the replays of the last 30 days with their progress, newest first.',
    limit: 'read',
    query: listReplaysQuery,
    parseQuery: parseListReplaysQuery,
    answers: { 200: { description: 'One page.', schema: wireWebhookReplayList, headers: link } },
    errors: ['validation_failed', 'unknown_parameter', 'invalid_cursor', 'webhook_endpoint_not_found'],
  },
  getWebhookReplay: {
    ...ofReplay,
    method: 'GET',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/replays/{replay_id}',
    summary: 'Get a replay',
    description: 'Returns the replay with its progress.',
    limit: 'read',
    answers: replayAnswer,
    errors: ['unknown_parameter', 'webhook_endpoint_not_found', 'webhook_replay_not_found'],
  },
  cancelWebhookReplay: {
    ...ofReplay,
    method: 'POST',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/replays/{replay_id}/cancel',
    summary: 'Cancel a replay',
    description: 'Queues no further deliveries. Those that are queued are still sent. Safe to repeat.',
    limit: 'write',
    answers: replayAnswer,
    errors: [
      'unknown_field',
      'validation_failed',
      'unknown_parameter',
      'webhook_endpoint_not_found',
      'webhook_replay_not_found',
    ],
  },
} as const satisfies Operations;
