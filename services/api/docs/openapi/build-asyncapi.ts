import { deliveryTerms, webhookEvents } from '#shared/contract/webhooks/webhook-events.ts';
import { landfallDocument } from './build-openapi.ts';

type Schemas = Record<string, unknown>;
type Ref = { $ref: string };

/**
 * The AsyncAPI 3.0 document: the requests that Landfall sends. Its schemas are those of the OpenAPI document, under the same
 * names.
 */
export function asyncApiText(): string {
  return `${JSON.stringify(buildAsyncApi(), null, 2)}\n`;
}

function buildAsyncApi() {
  const { info, webhooks = {}, components } = landfallDocument();
  const all = (components?.schemas ?? {}) as Schemas;
  const messages = Object.fromEntries(
    webhookEvents.map(({ type, summary }) => {
      const { parameters = [], requestBody } = webhooks[type]?.post ?? {};
      return [
        type,
        describeMessage({ type, summary, headers: headersOf(parameters), payload: payloadOf(requestBody) }),
      ];
    }),
  );
  const change = {
    name: 'change',
    title: 'change',
    summary: 'A change, as in the feed.',
    contentType: 'application/json',
    payload: refTo('Change'),
  };
  const schemas = reachable(all, { messages, change });
  const names = Object.keys(messages);
  return {
    asyncapi: '3.0.0',
    info: {
      title: `${info.title} events`,
      version: info.version,
      description:
        'Every change of shipments, pushed: to webhook endpoints, signed as Standard Webhooks specifies, and as ' +
        'server-sent events. The HTTP API is described in [/docs/openapi.json](/docs/openapi.json).',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    channels: {
      webhookEndpoint: {
        address: null,
        title: 'Webhook endpoint',
        description: 'The address that you set with `POST /v1/webhook-endpoints`.',
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
      changeStream: {
        address: '/v1/events/stream',
        title: 'Live stream',
        description: 'Server-sent events: `id` is the position of a change in the feed, `data` the change.',
        messages: { change: { $ref: '#/components/messages/change' } },
      },
    },
    operations: {
      deliverWebhook: {
        action: 'send',
        channel: { $ref: '#/channels/webhookEndpoint' },
        title: 'Deliver a webhook',
        description: deliveryTerms,
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
        messages: names.map((name) => ({ $ref: `#/channels/webhookEndpoint/messages/${name}` })),
      },
      streamChanges: {
        action: 'send',
        channel: { $ref: '#/channels/changeStream' },
        title: 'Stream changes',
        description: 'Changes as they happen, for as long as the connection lasts. Resumes after `Last-Event-ID`.',
        bindings: { http: { method: 'GET', bindingVersion: '0.3.0' } },
        messages: [{ $ref: '#/channels/changeStream/messages/change' }],
      },
    },
    components: { messages: { ...messages, change }, schemas },
  };
}

type Message = { type: string; summary: string; headers: unknown; payload: unknown };

function describeMessage({ type, summary, headers, payload }: Message) {
  return { name: type, title: type, summary, contentType: 'application/json', headers, payload };
}

/** OpenAPI describes headers one by one, AsyncAPI as one object. */
function headersOf(parameters: readonly unknown[]) {
  const found = parameters as { name: string; required?: boolean; description?: string; schema: object }[];
  return {
    type: 'object',
    required: found.filter(({ required }) => required === true).map(({ name }) => name),
    properties: Object.fromEntries(
      found.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]),
    ),
  };
}

function payloadOf(body: unknown): unknown {
  return (body as { content: Record<string, { schema: unknown }> }).content['application/json']?.schema;
}

function refTo(name: string): Ref {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas that these parts refer to, directly or not, in the order of their names. */
function reachable(all: Schemas, parts: unknown): Schemas {
  let names: string[] = [];
  let next = namesIn(parts);
  while (next.length > names.length) {
    names = next;
    next = [...new Set([...names, ...names.flatMap((name) => namesIn(all[name]))])];
  }
  return Object.fromEntries(names.toSorted().map((name) => [name, all[name]]));
}

function namesIn(part: unknown): string[] {
  const found = JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  return [...new Set([...found].map(([, name = '']) => name))];
}
