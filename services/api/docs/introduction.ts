import type { OperationTag } from '#shared/contract/operation.ts';

/** What is true of every operation; Markdown, at the top of the document. */
export const introduction = `Landfall follows shipments with their carriers: register a shipment once, and read where it is at any time.

All addresses begin with \`/v1\`. Bodies are JSON in UTF-8, names are \`snake_case\`, times are UTC in RFC 3339 unless a field says otherwise.

## Authentication

Every request carries an API key: \`Authorization: Bearer svc_live_…\`. Keys that begin with \`svc_test_\` see and make only test shipments,
which never reach a carrier; live keys see only live ones. A key in the address is never read. Each operation names the scope that it needs.

## Paging

Lists answer one page and \`page.next_cursor\`; send it as \`cursor\` with the same filter and sort for the next page, until it is null. The
header \`Link\` holds the same address ready to use. Pages stay stable while shipments change.

## Errors

Every error is a problem document (RFC 9457, \`application/problem+json\`). Decide by \`code\`, show \`detail\`, and name \`request_id\` when you
report a problem. \`retryable\` says whether the same request may succeed later. All codes, with cause and remedy: [Errors](/docs/errors).
What belongs to another account reads exactly like what does not exist. An unknown field or parameter is refused, with the nearest name.

## Idempotency

Operations that register shipments take an \`Idempotency-Key\` of your choice (1 to 255 visible ASCII characters, kept for 24 hours). The same
request with the same key is answered with the first answer again, marked \`Idempotent-Replayed: true\`. Errors are not kept.

## Limits

Requests are counted per key, by kind: reads, writes, batches and MCP. \`RateLimit\` and \`RateLimit-Policy\` say on each answer what is left;
beyond it the answer is 429 with \`Retry-After\`. Keys that are refused count against their address. A body may have 64 KiB unless the operation says otherwise, an address 8 KiB.

## Open values

Fields described as open may take values that are not in this document; treat an unknown one as you would treat \`other\`. A field that
may be null is always there.

## Versioning

The version is part of the address. Within \`/v1\` fields, operations, error codes and values of open fields are added, and nothing is
renamed, removed or given another meaning. What goes away is marked \`deprecated\` here at least twelve months before, and its answers then
carry the headers \`Deprecation\` and \`Sunset\`.

This document: [/docs/openapi.json](/docs/openapi.json).`;

export const tagDescriptions = {
  Shipments: 'Register shipments, find them, read their whole record and history, and steer how they are followed.',
  Imports: 'Register any number of shipments from a file, and see which rows failed.',
  Carriers: 'Which carriers can be followed, by which numbers, and how they are doing.',
  'Change feed': 'Everything that changed, in order, for readers that must not miss anything.',
  'API keys': 'Create, rotate and revoke the keys of the account, and see what a key may do.',
  'Test mode': 'Play journeys with test keys.',
  MCP: 'The same shipments for MCP clients such as assistants and code editors.',
} satisfies Record<OperationTag, string>;

export const securityDescription =
  'An API key: `svc_live_…` for live shipments, `svc_test_…` for test shipments. Every operation names the scope that the key needs.';
