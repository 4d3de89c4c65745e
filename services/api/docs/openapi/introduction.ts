import type { OperationTag } from '#shared/contract/operation.ts';
import { defaultLimits, failedSignInsPerMinute } from '#shared/domain/keys/limits.ts';

const count = (limit: number) => limit.toLocaleString('en');

/** The introduction of the document, in Markdown. */
export const introduction = `Landfall polls carriers and normalizes their events. Register a shipment once, and read
its current record at any time.

All paths begin with \`/v1\`. Bodies are JSON in UTF-8, names are \`snake_case\`, and times are UTC in RFC 3339 unless
a field says otherwise.

## Authentication

Send an API key with every request: \`Authorization: Bearer svc_live_…\`. Keys that begin with \`svc_test_\` only see
and create test shipments, which never reach a carrier; live keys only see live shipments. Keys in the URL are
ignored. Each operation names the scope that it requires.

## Pagination

Lists return one page and \`page.next_cursor\`. A page has 25 shipments, 50 events or 100 changes unless \`limit\`
asks for another size; the largest are 100, 100 and 500. For the next page, send it as \`cursor\` with the same filter and
sort, until it is null. The header \`Link\` contains the URL of the next page. Pages stay consistent while shipments
change.

## Errors

Every error is a problem document (RFC 9457, \`application/problem+json\`). Branch on \`code\`, show \`detail\` to
users, and include \`request_id\` when you report a problem. \`retryable\` states whether the same request may succeed
later. See [Errors](/docs/errors) for all codes with their causes and remedies. Objects of other accounts are reported
as not found. Unknown fields and parameters are refused, with a suggestion.

## Idempotency

Operations that register shipments accept an \`Idempotency-Key\` of your choice (1 to 255 visible ASCII characters,
kept for 24 hours). A repeated request with the same key gets the first response again, with \`Idempotent-Replayed:
true\`. Errors are not stored.

## Rate limits

Requests are counted per key and by type. By default, a minute allows ${count(defaultLimits.read)} reads,
${count(defaultLimits.write)} writes, ${count(defaultLimits.batch)} batches and imports, and ${count(defaultLimits.mcp)} MCP
messages; an account can have other limits, which \`GET /v1/me\` returns. Each response shows the remaining requests
in \`RateLimit\` and \`RateLimit-Policy\`. Beyond the limit, requests fail with 429 and \`Retry-After\`. Requests with
an invalid key count against their IP address and against the first characters of the key: each may fail
${failedSignInsPerMinute} times in a minute. A valid key is never refused for them.
A body may be up to 64 KiB unless the operation says otherwise, and a URL up to 8 KiB.

## Compression

JSON responses of 4 KiB and more, and all exports, are compressed if \`Accept-Encoding\` allows \`br\` or \`gzip\`.

## Changes by several clients

The record of a shipment has an \`ETag\`. Send it as \`If-Match\` with PATCH, DELETE or a verb such as \`…/stop\`: if
the record has changed since you read it, the request fails with 412 and nothing is done.

## Open enums

Some enums may get more values, as their description says. Treat an unknown value like \`other\`. Fields that may be
null are always present.

## Versioning

The version is part of the path. Within \`/v1\`, fields, operations, error codes and enum values may be added, but
nothing is renamed, removed or redefined. Deprecated parts are marked \`deprecated\` here at least twelve months in
advance, and their responses have the headers \`Deprecation\` and \`Sunset\`.

This document: [/docs/openapi.json](/docs/openapi.json). The requests that Landfall sends, in AsyncAPI:
[/docs/asyncapi.json](/docs/asyncapi.json).`;

export const tagDescriptions = {
  Shipments: 'Register, search and read shipments, and control their tracking.',
  Imports: 'Register any number of shipments from a file, and download the rows that failed.',
  Carriers: 'Supported carriers, their identifiers, health and credentials.',
  'Events in': 'Events of your own sources: railways, terminals, trucks.',
  'Free time': 'The terms by which demurrage and detention are assessed.',
  Analytics: 'Figures of arrivals, transit times, delays and tracking, with the lists behind them.',
  'Change feed': 'Every change in order, for clients that must not miss any.',
  Webhooks: 'Deliver changes to your own servers as they happen, and see, repeat and replay deliveries.',
  Notes: 'Discuss a shipment with the other members, and list the members whom notes can mention.',
  'Shared pages': 'Show a shipment to people without an account, by a link that expires and can be revoked.',
  'API keys': 'Create, rotate and revoke API keys, get the current key, and set how long the account keeps shipments.',
  'Test mode': 'Simulate journeys with test keys.',
  MCP: 'The same shipments for MCP clients, such as assistants and code editors.',
} satisfies Record<OperationTag, string>;

export const securityDescription =
  'An API key: `svc_live_…` for live shipments, `svc_test_…` for test shipments. Each operation names the scope that ' +
  'it requires.';
