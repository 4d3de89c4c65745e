import { z } from 'zod';
import { changeTypes, disabledReasons } from '#shared/domain/feed/change-types.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import {
  apiVersions,
  endpointStates,
  maxCountedBacklog,
  orderings,
  payloads,
  stateOf,
  type WebhookEndpoint,
} from '#shared/domain/webhooks/endpoint.ts';
import type { RecentStats } from '#shared/domain/webhooks/stats.ts';
import { count, instant, instantOrNull, openEnum, textOrNull } from '../schema-parts.ts';
import { toWireRecentStats, wireRecentStats } from './stats-wire.ts';

/** The public id of an endpoint. */
export function toEndpointId(uuid: string): string {
  return encodeTypeId('whe', uuid);
}

/** The uuid of a public id of an endpoint, or null if the text is not one. */
export function readEndpointId(text: string): string | null {
  return decodeTypeId('whe', text);
}

/** The id of an endpoint in a response. */
export const endpointIdField = z.string().meta({
  description: 'Id of the endpoint: `whe_` followed by 26 characters.',
  examples: ['whe_01kahf3m2xfr5tq4d8z9w6c7yb'],
});

/** An endpoint without its secrets. */
export const wireWebhookEndpoint = z
  .strictObject({
    webhook_endpoint_id: endpointIdField,
    object: z.literal('webhook_endpoint').meta({ description: 'Always `webhook_endpoint`.' }),
    url: z.string().meta({ description: 'Where deliveries go.', examples: ['https://example.com/hooks/landfall'] }),
    description: textOrNull('Your description.', 'Warehouse system'),
    types: z.array(z.string()).meta({
      description:
        `Types of change that are delivered; \`*\` means all. Known values: ${changeTypes.join(', ')}. More may be ` +
        'added.',
      examples: [['shipment.status_changed', 'shipment.eta_changed']],
    }),
    filter: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: 'Only changes of shipments that match this filter of the list. Null: of all shipments.',
        examples: [{ destination: ['NLRTM'], late: true }],
      }),
    payload: openEnum(payloads, 'Content of `data` in a delivery.'),
    api_version: openEnum(apiVersions, 'Version of the payload.'),
    header_names: z.array(z.string()).meta({
      description: 'Names of the custom headers. Their values are not shown.',
      examples: [['x-environment']],
    }),
    ordering: openEnum(orderings, 'Whether the changes of a shipment are delivered strictly in order.'),
    rate_per_second: z
      .int()
      .nullable()
      .meta({ description: 'Maximum number of requests a second. Null: unlimited.', examples: [50] }),
    timeout_seconds: z.int().meta({ description: 'How long the receiver may take to respond.', examples: [10] }),
    test: z.boolean().meta({
      description: 'Whether changes of test shipments are delivered, instead of live ones.',
      examples: [false],
    }),
    state: openEnum(
      endpointStates,
      '`failing`: enabled, and the last delivery failed. `disabled`: nothing is delivered.',
    ),
    disabled_at: instantOrNull('When it was disabled. Null if it is not.'),
    disabled_reason: openEnum(
      disabledReasons,
      'Why it is disabled: on request, because the receiver responded with 410 (`gone`), because no delivery ' +
        'succeeded for three days (`failing`), or because a backup was restored (`restored`). Null if it is not.',
    ).nullable(),
    failing_since: instantOrNull('First failure since the last success. Null: the last delivery succeeded.'),
    last_success_at: instantOrNull('The last delivery that succeeded. Null: none yet.'),
    last_failure_at: instantOrNull('The last try that failed. Null: none yet.'),
    consecutive_failures: count('Tries that failed since the last success.', 0),
    position: z.int().meta({
      description:
        'Position in the feed. Each change up to here was delivered, waits for its next try, or was given up.',
      examples: [4711],
    }),
    backlog: z
      .strictObject({
        changes: count(`Changes after \`position\`, counted up to ${maxCountedBacklog.toLocaleString()}.`, 0),
        waiting: count(`Deliveries to be tried again, counted up to ${maxCountedBacklog.toLocaleString()}.`, 0),
      })
      .meta({ description: 'Pending deliveries.' }),
    secret_created_at: instant('When the signing secret was created.'),
    previous_secret_until: instantOrNull('Until when the previous secret also signs. Null: there is none.'),
    created_at: instant('When the endpoint was created.'),
    updated_at: instant('When its settings last changed.'),
  })
  .meta({ id: 'WebhookEndpoint', description: 'A webhook endpoint, without its secret.' });

/** An endpoint with a new secret. */
export const wireEndpointWithSecret = wireWebhookEndpoint
  .extend({
    secret: z.string().meta({
      description: 'The signing secret: `whsec_` and base64. Returned only once, and stored encrypted.',
      examples: ['whsec_…'],
    }),
  })
  .meta({ id: 'WebhookEndpointWithSecret', description: 'A webhook endpoint with its new secret.' });

/** An endpoint in a list. */
export const wireListedEndpoint = wireWebhookEndpoint
  .extend({ stats: wireRecentStats.optional().meta({ description: 'Only with `include=stats`.' }) })
  .meta({ id: 'ListedWebhookEndpoint', description: 'A webhook endpoint in a list.' });

/** The endpoints of an account. */
export const wireWebhookEndpointList = z
  .strictObject({
    data: z.array(wireListedEndpoint).meta({ description: 'The endpoints, newest first.' }),
    page: z
      .strictObject({
        limit: z.int().meta({ description: 'Page size.', examples: [25] }),
        has_more: z.boolean().meta({ description: 'Whether there is another page.', examples: [false] }),
        next_cursor: z
          .string()
          .nullable()
          .meta({ description: '`cursor` of the next page. Null on the last page.', examples: [null] }),
      })
      .meta({ description: 'Pagination.' }),
  })
  .meta({ id: 'WebhookEndpointList', description: 'One page of webhook endpoints.' });

export type WireWebhookEndpoint = z.infer<typeof wireWebhookEndpoint>;
export type WireListedEndpoint = z.infer<typeof wireListedEndpoint>;

/** Counts of pending work for an endpoint, each up to `maxCountedBacklog`. */
export type EndpointBacklog = { changes: number; waiting: number };

export function toWireEndpoint(endpoint: WebhookEndpoint & { backlog: EndpointBacklog }): WireWebhookEndpoint {
  return {
    webhook_endpoint_id: toEndpointId(endpoint.id),
    object: 'webhook_endpoint',
    url: endpoint.url,
    description: endpoint.description,
    types: endpoint.types === null ? ['*'] : [...endpoint.types],
    filter: endpoint.filter,
    payload: endpoint.payload,
    api_version: endpoint.apiVersion,
    header_names: [...endpoint.headerNames],
    ordering: endpoint.ordering,
    rate_per_second: endpoint.ratePerSecond,
    timeout_seconds: endpoint.timeoutS,
    test: endpoint.test,
    state: stateOf(endpoint),
    disabled_at: endpoint.disabledAt,
    disabled_reason: endpoint.disabledReason,
    failing_since: endpoint.failingSince,
    last_success_at: endpoint.lastSuccessAt,
    last_failure_at: endpoint.lastFailureAt,
    consecutive_failures: endpoint.consecutiveFailures,
    position: endpoint.sequence,
    backlog: { changes: endpoint.backlog.changes, waiting: endpoint.backlog.waiting },
    secret_created_at: endpoint.secretMadeAt,
    previous_secret_until: endpoint.previousSecretUntil,
    created_at: endpoint.createdAt,
    updated_at: endpoint.updatedAt,
  };
}

export function toWireListedEndpoint(
  endpoint: WebhookEndpoint & { backlog: EndpointBacklog; stats?: RecentStats },
): WireListedEndpoint {
  const { stats } = endpoint;
  return { ...toWireEndpoint(endpoint), ...(stats && { stats: toWireRecentStats(stats) }) };
}

/** The only responses that contain a secret. */
export function toWireEndpointWithSecret({
  secret,
  ...endpoint
}: WebhookEndpoint & { backlog: EndpointBacklog; secret: string }): z.infer<typeof wireEndpointWithSecret> {
  return { ...toWireEndpoint(endpoint), secret };
}
