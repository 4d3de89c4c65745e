import { z } from 'zod';
import { maxEndpoints } from '#shared/domain/webhooks/endpoint.ts';
import type { Operations } from '../operation.ts';
import { wireWebhookDeliveryRecord } from './delivery-wire.ts';
import {
  createEndpointBody,
  enableEndpointBody,
  parseCreateEndpointBody,
  parseEnableEndpointBody,
  parseRotateSecretBody,
  parseUpdateEndpointBody,
  rotateSecretBody,
  updateEndpointBody,
} from './endpoint-input.ts';
import { wireEndpointWithSecret, wireWebhookEndpoint, wireWebhookEndpointList } from './endpoint-wire.ts';
import { parseStatsQuery, statsQuery, wireWebhookStats } from './stats-wire.ts';
import { endpointParams, listEndpointsQuery, parseEndpointParams, parseListEndpointsQuery } from './webhook-queries.ts';

const common = { access: 'key_or_session', tag: 'Webhooks', scope: 'webhooks:manage' } as const;
const ofEndpoint = { ...common, params: endpointParams, parseParams: parseEndpointParams } as const;
const endpointAnswer = { 200: { description: 'The endpoint.', schema: wireWebhookEndpoint } };
const inputErrors = ['invalid_json', 'validation_failed', 'unknown_field', 'unknown_parameter'] as const;

export const endpointOperations = {
  listWebhookEndpoints: {
    ...common,
    method: 'GET',
    path: '/v1/webhook-endpoints',
    summary: 'List webhook endpoints',
    description:
      'Returns the endpoints of the account, newest first, with their state and pending deliveries. Live keys see ' +
      'live endpoints, test keys test endpoints.',
    limit: 'read',
    query: listEndpointsQuery,
    parseQuery: parseListEndpointsQuery,
    answers: {
      200: {
        description: 'One page.',
        schema: wireWebhookEndpointList,
        headers: {
          Link: { description: 'The next page: `<…>; rel="next"`. Absent on the last page.', schema: z.string() },
        },
      },
    },
    errors: ['validation_failed', 'unknown_parameter', 'invalid_cursor'],
  },
  createWebhookEndpoint: {
    ...common,
    method: 'POST',
    path: '/v1/webhook-endpoints',
    summary: 'Create a webhook endpoint',
    description:
      'Delivers changes from now on, each as a signed POST as [Standard Webhooks](https://www.standardwebhooks.com) ' +
      'specifies. The response contains the signing secret, which is not shown again. An endpoint that a test key ' +
      `creates gets the changes of test shipments. An account can have ${maxEndpoints} endpoints.`,
    limit: 'write',
    body: {
      schema: createEndpointBody,
      parse: parseCreateEndpointBody,
      description: 'The endpoint to create.',
      examples: {
        all: { summary: 'All changes', value: { url: 'https://example.com/hooks/landfall' } },
        selected: {
          summary: 'Late containers into Rotterdam',
          value: {
            url: 'https://example.com/hooks/landfall',
            types: ['shipment.eta_changed', 'shipment.overdue'],
            filter: { transport_mode: ['ocean'], destination: ['NLRTM'], late: true },
          },
        },
      },
    },
    answers: { 201: { description: 'The endpoint with its secret.', schema: wireEndpointWithSecret } },
    errors: [...inputErrors, 'invalid_state'],
  },
  getWebhookEndpoint: {
    ...ofEndpoint,
    method: 'GET',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}',
    summary: 'Get a webhook endpoint',
    description: 'Returns the endpoint with its state and pending deliveries.',
    limit: 'read',
    answers: endpointAnswer,
    errors: ['unknown_parameter', 'webhook_endpoint_not_found'],
  },
  updateWebhookEndpoint: {
    ...ofEndpoint,
    method: 'PATCH',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}',
    summary: 'Update a webhook endpoint',
    description:
      'Changes the fields that are sent; the others stay. Takes effect for every try that starts afterwards, within ' +
      'seconds. Safe to repeat.',
    limit: 'write',
    body: {
      schema: updateEndpointBody,
      parse: parseUpdateEndpointBody,
      description: 'The fields to change.',
      examples: {
        moved: { summary: 'Another address', value: { url: 'https://example.com/hooks/v2/landfall' } },
        header: {
          summary: 'Set one header and remove another',
          value: { headers: { 'x-team': 'ocean', 'x-old': null } },
        },
      },
    },
    answers: endpointAnswer,
    errors: [...inputErrors, 'webhook_endpoint_not_found', 'invalid_state'],
  },
  deleteWebhookEndpoint: {
    ...ofEndpoint,
    method: 'DELETE',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}',
    summary: 'Delete a webhook endpoint',
    description: 'Ends its deliveries for good, including those that wait for another try. Cannot be undone.',
    limit: 'write',
    answers: { 204: { description: 'The endpoint is deleted.' } },
    errors: ['unknown_field', 'validation_failed', 'unknown_parameter', 'webhook_endpoint_not_found'],
  },
  rotateWebhookSecret: {
    ...ofEndpoint,
    method: 'POST',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/rotate-secret',
    summary: 'Rotate the signing secret',
    description:
      'Creates a new secret, which is not shown again. During `overlap_hours`, each delivery has two signatures, and ' +
      'either secret verifies it. A secret from an earlier rotation ends at once.',
    limit: 'write',
    body: {
      schema: rotateSecretBody,
      parse: parseRotateSecretBody,
      description: 'How long the old secret also signs. Default: 24 hours.',
      required: false,
      examples: { at_once: { summary: 'End the old secret at once', value: { overlap_hours: 0 } } },
    },
    answers: { 200: { description: 'The endpoint with its new secret.', schema: wireEndpointWithSecret } },
    errors: [...inputErrors, 'webhook_endpoint_not_found', 'invalid_state'],
  },
  testWebhookEndpoint: {
    ...ofEndpoint,
    method: 'POST',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/test',
    summary: 'Send a test',
    description:
      'Sends a `webhook.test` at once, signed like any delivery, and returns the response. It is tried once, also if ' +
      'the endpoint is disabled, and does not change the state of the endpoint.',
    limit: 'write',
    answers: { 200: { description: 'The test and its outcome.', schema: wireWebhookDeliveryRecord } },
    errors: ['unknown_field', 'validation_failed', 'unknown_parameter', 'webhook_endpoint_not_found', 'invalid_state'],
  },
  enableWebhookEndpoint: {
    ...ofEndpoint,
    method: 'POST',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/enable',
    summary: 'Enable a webhook endpoint',
    description: 'Continues its deliveries where they stopped. An enabled endpoint does not change. Safe to repeat.',
    limit: 'write',
    body: {
      schema: enableEndpointBody,
      parse: parseEnableEndpointBody,
      description: 'Where to continue.',
      required: false,
      examples: { skip: { summary: 'Continue with the next change', value: { skip_missed: true } } },
    },
    answers: endpointAnswer,
    errors: [...inputErrors, 'webhook_endpoint_not_found'],
  },
  disableWebhookEndpoint: {
    ...ofEndpoint,
    method: 'POST',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/disable',
    summary: 'Disable a webhook endpoint',
    description: 'Stops its deliveries within seconds until it is enabled again. Safe to repeat.',
    limit: 'write',
    answers: endpointAnswer,
    errors: ['unknown_field', 'validation_failed', 'unknown_parameter', 'webhook_endpoint_not_found'],
  },
  getWebhookStats: {
    ...ofEndpoint,
    method: 'GET',
    path: '/v1/webhook-endpoints/{webhook_endpoint_id}/stats',
    summary: 'Get statistics of a webhook endpoint',
    description:
      'Returns the number of successful deliveries, their latencies and the pending deliveries, in total and by hour.',
    limit: 'read',
    query: statsQuery,
    parseQuery: parseStatsQuery,
    answers: { 200: { description: 'The statistics.', schema: wireWebhookStats } },
    errors: ['validation_failed', 'unknown_parameter', 'webhook_endpoint_not_found'],
  },
} as const satisfies Operations;
