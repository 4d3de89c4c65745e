import type { InputOf } from '#shared/contract/operations.ts';
import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { type Ordering, type Payload, timeoutSeconds } from '#shared/domain/webhooks/endpoint.ts';
import { everyType } from '../webhook-words.ts';
import { type EndpointFilter, filterOrNull } from './endpoint-filter.ts';

/** A custom header. The value of a stored one is unknown: an empty text leaves it as it is. */
export type HeaderDraft = { key: number; name: string; value: string; isStored: boolean };

/** Values of the form. Numbers are texts while they are typed. */
export type EndpointDraft = {
  url: string;
  description: string;
  types: readonly string[];
  filter: EndpointFilter;
  payload: Payload;
  ordering: Ordering;
  rate: string;
  timeout: string;
  headers: readonly HeaderDraft[];
  /** Names of stored headers to remove. */
  removed: readonly string[];
};

export function newDraft(): EndpointDraft {
  return {
    url: '',
    description: '',
    types: [everyType],
    filter: {},
    payload: 'summary',
    ordering: 'none',
    rate: '',
    timeout: String(timeoutSeconds.default),
    headers: [],
    removed: [],
  };
}

export function draftOf(endpoint: WireWebhookEndpoint): EndpointDraft {
  return {
    url: endpoint.url,
    description: endpoint.description ?? '',
    types: endpoint.types,
    filter: endpoint.filter ?? {},
    payload: endpoint.payload as Payload,
    ordering: endpoint.ordering as Ordering,
    rate: endpoint.rate_per_second === null ? '' : String(endpoint.rate_per_second),
    timeout: String(endpoint.timeout_seconds),
    headers: endpoint.header_names.map((name, key) => ({ key, name, value: '', isStored: true })),
    removed: [],
  };
}

type EndpointBody = InputOf<'createWebhookEndpoint'>['body'];

/** The body that creates or updates the endpoint. The API evaluates it. */
export function bodyOf(draft: EndpointDraft): EndpointBody {
  const headers = headersOf(draft);
  return {
    url: draft.url.trim(),
    description: draft.description.trim() === '' ? null : draft.description.trim(),
    types: [...draft.types] as NonNullable<EndpointBody['types']>,
    filter: filterOrNull(draft.filter) as EndpointBody['filter'],
    payload: draft.payload,
    ordering: draft.ordering,
    rate_per_second: draft.rate === '' ? null : Number(draft.rate),
    timeout_seconds: Number(draft.timeout),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

function headersOf({ headers, removed }: EndpointDraft): Record<string, string | null> {
  const set = headers
    .filter(({ name, value, isStored }) => (isStored ? value !== '' : name.trim() !== '' || value !== ''))
    .map(({ name, value }) => [name.trim(), value] as const);
  return Object.fromEntries([...removed.map((name) => [name, null] as const), ...set]);
}
