import { z } from 'zod';
import type { InputMistake } from '#shared/domain/errors.ts';
import { type ChangeType, changeTypes } from '#shared/domain/feed/change-types.ts';
import { anyoneElse } from '#shared/domain/lists/filter-conditions.ts';
import { headerMistakes } from '#shared/domain/webhooks/custom-headers.ts';
import {
  apiVersions,
  type EndpointFilter,
  type EndpointUpdate,
  maxHeaderBytes,
  maxHeaders,
  maxRatePerSecond,
  maxUrlLength,
  orderings,
  payloads,
  secretOverlapHours,
  timeoutSeconds,
} from '#shared/domain/webhooks/endpoint.ts';
import { jsonPointer, refusal } from '../input/input-mistakes.ts';
import { parseBody } from '../input/parse-body.ts';
import { plainText } from '../input/plain-text.ts';
import { filterMistakes, webhookFilter } from './webhook-filter.ts';

const all = '*';

const url = z
  .string()
  .trim()
  .min(1)
  .max(maxUrlLength)
  .meta({
    description:
      'Where deliveries go: an https address without user name, password and fragment. Addresses of private networks ' +
      'are refused. Test endpoints may use http to a loopback address if the API itself listens on one.',
    examples: ['https://example.com/hooks/landfall'],
  });
const types = z
  .array(z.enum([all, ...changeTypes]))
  .min(1)
  .max(50)
  .meta({
    description: 'Types of change to deliver. `*` delivers all, including types that are added later.',
    examples: [['shipment.status_changed', 'shipment.eta_changed']],
  });
const fields = {
  description: plainText({ max: 500 })
    .nullable()
    .optional()
    .meta({ description: 'Your description. Null removes it.', examples: ['Warehouse system'] }),
  types: types.optional(),
  filter: webhookFilter
    .nullable()
    .optional()
    .meta({
      description:
        'Delivers only changes of shipments that match, as of the change. The filters of the list with the same ' +
        'names, and arrays for lists. A change without a shipment matches no filter. Null: no filter.',
      examples: [{ transport_mode: ['ocean'], destination: ['NLRTM'], late: true }],
    }),
  payload: z
    .enum(payloads)
    .optional()
    .meta({
      description:
        'Content of `data`. `summary`, the default: the change as in the feed. `full`: the same with the whole ' +
        'record of the shipment as of the change. `thin`: ids, position and type.',
      examples: ['summary'],
    }),
  api_version: z
    .enum(apiVersions)
    .optional()
    .meta({ description: 'Version of the payload.', examples: ['v1'] }),
  headers: z
    .record(z.string().max(maxHeaderBytes), z.string().max(maxHeaderBytes).nullable())
    .nullable()
    .optional()
    .meta({
      description:
        `Headers to send with each delivery, at most ${maxHeaders}. Values are encrypted and never returned. An ` +
        'update merges by name: sent headers are set, null removes one, and null in place of the object removes all.',
      examples: [{ 'x-environment': 'production' }],
    }),
  ordering: z
    .enum(orderings)
    .optional()
    .meta({
      description:
        '`none`, the default: several requests at a time, in no particular order. `shipment`: the changes of one ' +
        'shipment strictly in order. A delivery that fails holds back only the later changes of its shipment.',
      examples: ['none'],
    }),
  rate_per_second: z
    .int()
    .min(1)
    .max(maxRatePerSecond)
    .nullable()
    .optional()
    .meta({ description: 'Maximum number of requests a second, 1 to 1,000. Null: unlimited.', examples: [50] }),
  timeout_seconds: z
    .int()
    .min(1)
    .max(timeoutSeconds.most)
    .optional()
    .meta({
      description: `How long the receiver may take to respond, 1 to ${timeoutSeconds.most}. Default: ${timeoutSeconds.default}.`,
      examples: [10],
    }),
};

/** The body that creates an endpoint. */
export const createEndpointBody = z.strictObject({ url, ...fields });

/** The body that updates an endpoint. Absent fields stay unchanged. */
export const updateEndpointBody = z.strictObject({ url: url.optional(), ...fields });

/** Parses an untrusted body. Throws one LandfallError that names every mistake. */
export function parseCreateEndpointBody(body: unknown): EndpointUpdate & { url: string } {
  const parsed = parseEndpoint(createEndpointBody, body);
  return { ...toUpdate(parsed), url: parsed.url };
}

/** Parses an untrusted body. Throws one LandfallError that names every mistake. */
export function parseUpdateEndpointBody(body: unknown): EndpointUpdate {
  return toUpdate(parseEndpoint(updateEndpointBody, body));
}

/** Refuses `me` as an assignee, because an endpoint belongs to no member. */
function personalMistakes(filter: unknown): InputMistake[] {
  const assignee = isObject(filter) ? filter.assignee : undefined;
  if (!Array.isArray(assignee) || !assignee.includes(anyoneElse.me)) return [];
  const detail = 'In filter: assignee cannot be me, because an endpoint is no member. Name members by id.';
  return [
    { pointer: jsonPointer(['filter', 'assignee', assignee.indexOf(anyoneElse.me)]), code: 'invalid_value', detail },
  ];
}

/** The filter is evaluated apart, by its own names. */
function parseEndpoint<Schema extends typeof createEndpointBody | typeof updateEndpointBody>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const { filter, ...others } = isObject(body) ? body : { filter: undefined };
  const parsed = parseBody(schema, isObject(body) ? others : body) as z.output<Schema>;
  const mistakes: InputMistake[] = [];
  if (filter !== undefined && filter !== null) mistakes.push(...filterMistakes(filter), ...personalMistakes(filter));
  const set = Object.entries(parsed.headers ?? {}).flatMap(([name, value]) => [[name, value ?? '-'] as const]);
  mistakes.push(
    ...headerMistakes(Object.fromEntries(set)).map(({ name, ...mistake }) => ({
      pointer: jsonPointer(name === '' ? ['headers'] : ['headers', name]),
      ...mistake,
    })),
  );
  if (mistakes.length > 0) throw refusal(mistakes);
  return { ...parsed, ...(filter !== undefined && { filter }) };
}

function toUpdate(parsed: z.output<typeof updateEndpointBody>): EndpointUpdate {
  const update: { [Name in keyof EndpointUpdate]: EndpointUpdate[Name] | undefined } = {
    url: parsed.url,
    description: parsed.description,
    types: toTypes(parsed.types),
    filter: parsed.filter === undefined ? undefined : toFilter(parsed.filter),
    payload: parsed.payload,
    apiVersion: parsed.api_version,
    headers: parsed.headers,
    ordering: parsed.ordering,
    ratePerSecond: parsed.rate_per_second,
    timeoutS: parsed.timeout_seconds,
  };
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
}

/** Undefined: absent. Null: all. */
function toTypes(given: readonly (ChangeType | typeof all)[] | undefined): readonly ChangeType[] | null | undefined {
  if (given === undefined) return undefined;
  const named = given.filter((type) => type !== all);
  return named.length < given.length ? null : [...new Set(named)];
}

/** A filter without a condition is none. */
function toFilter(filter: EndpointFilter | null): EndpointFilter | null {
  return filter === null || Object.keys(filter).length === 0 ? null : filter;
}

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** The optional body that rotates a secret. */
export const rotateSecretBody = z.strictObject({
  overlap_hours: z
    .number()
    .min(0)
    .max(secretOverlapHours.most)
    .default(secretOverlapHours.default)
    .meta({
      description: 'Hours for which the old secret also signs, 0 to 168. With 0 it ends at once.',
      examples: [24],
    }),
});

/** Parses an untrusted body. Throws one LandfallError that names every mistake. */
export function parseRotateSecretBody(body: unknown): { overlapHours: number } {
  return { overlapHours: parseBody(rotateSecretBody, body ?? {}).overlap_hours };
}

/** The optional body that enables an endpoint. */
export const enableEndpointBody = z.strictObject({
  skip_missed: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Whether to continue with the next change. By default, deliveries continue where they stopped, as far as the ' +
        'feed still has the changes (30 days).',
      examples: [false],
    }),
});

/** Parses an untrusted body. Throws one LandfallError that names every mistake. */
export function parseEnableEndpointBody(body: unknown): { skipMissed: boolean } {
  return { skipMissed: parseBody(enableEndpointBody, body ?? {}).skip_missed };
}
