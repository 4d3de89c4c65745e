import { type AttributeValue, type HrTime, type Link, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { KeptReason, SpanAttribute, SpanLink, TracePart, TraceSpan } from '#shared/domain/installation/trace.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { scrubSpan } from './scrub-span.ts';
import { firstSpanOf, isFailed, isLimited } from './tail-sampler.ts';

const kinds = {
  [SpanKind.INTERNAL]: 'internal',
  [SpanKind.SERVER]: 'server',
  [SpanKind.CLIENT]: 'client',
  [SpanKind.PRODUCER]: 'producer',
  [SpanKind.CONSUMER]: 'consumer',
} as const satisfies Record<SpanKind, TraceSpan['kind']>;

const statuses = {
  [SpanStatusCode.UNSET]: 'unset',
  [SpanStatusCode.OK]: 'ok',
  [SpanStatusCode.ERROR]: 'error',
} as const satisfies Record<SpanStatusCode, TraceSpan['status']>;

/** The beginning of a statement is enough to identify it. */
const maxTextLength = 160;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * One process's part of a trace, scrubbed and ready to store, or null for no spans. Without `service`, the resource
 * names it.
 */
export function tracePartOf(
  spans: readonly ReadableSpan[],
  { keptFor, service }: { keptFor: KeptReason; service: string | null },
): TracePart | null {
  const first = firstSpanOf(spans);
  if (first === undefined) return null;
  for (const span of spans) scrubSpan(span);
  const failedFirst = [...spans].sort((left, right) => Number(isFailed(right)) - Number(isFailed(left)));
  const find = (name: string): SpanAttribute | null =>
    failedFirst.find((span) => span.attributes[name] !== undefined)?.attributes[name] as SpanAttribute;
  const text = (name: string): string | null => plainText(find(name));
  return {
    traceId: first.spanContext().traceId,
    service: service ?? serviceOf(first),
    name: plain(first.name),
    startedAtUs: microseconds(first.startTime),
    durationUs: microseconds(first.duration),
    keptFor,
    failed: spans.some(isFailed),
    httpStatus: httpStatusOf(spans),
    errorType: text('error.type'),
    outcome: text('refresh.outcome'),
    carrier: text('carrier.code'),
    shipmentId: shipmentIdOf(text('shipment.id')),
    accountId: uuidOf(text('account.id')),
    spans: spans.map((span) => traceSpanOf(span, service ?? serviceOf(span))),
  };
}

/** The status of the first failure, else the status of the response. */
function httpStatusOf(spans: readonly ReadableSpan[]): number | null {
  const decisive =
    spans.find(isLimited) ??
    spans.find((span) => isFailed(span) && statusOf(span) !== null) ??
    spans.find((span) => span.kind === SpanKind.SERVER);
  return decisive === undefined ? null : statusOf(decisive);
}

function statusOf(span: ReadableSpan): number | null {
  const status = span.attributes['http.response.status_code'];
  return typeof status === 'number' ? status : null;
}

function traceSpanOf(span: ReadableSpan, service: string): TraceSpan {
  return {
    traceId: span.spanContext().traceId,
    spanId: span.spanContext().spanId,
    parentSpanId: span.parentSpanContext?.spanId ?? null,
    service,
    name: plain(span.name),
    kind: kinds[span.kind],
    startedAtUs: microseconds(span.startTime),
    durationUs: microseconds(span.duration),
    status: statuses[span.status.code],
    attributes: attributesOf(span),
    links: span.links.map(linkOf),
  };
}

function linkOf({ context }: Link): SpanLink {
  return { traceId: context.traceId, spanId: context.spanId };
}

function attributesOf(span: ReadableSpan): Record<string, SpanAttribute> {
  const attributes: Record<string, SpanAttribute> = {};
  for (const [name, value] of Object.entries(span.attributes)) {
    if (value !== undefined) attributes[name] = plainValue(value);
  }
  return attributes;
}

function plainValue(value: AttributeValue): SpanAttribute {
  if (typeof value === 'string') return plain(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return plain(JSON.stringify(value));
}

/** Postgres accepts neither NUL nor half a surrogate pair. */
function plain(text: string): string {
  const short = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  return short.replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim().toWellFormed();
}

function plainText(value: SpanAttribute | null | undefined): string | null {
  return value === null || value === undefined ? null : plain(String(value));
}

function serviceOf(span: ReadableSpan): string {
  const name = span.resource.attributes['service.name'];
  return typeof name === 'string' ? plain(name) : 'landfall';
}

function shipmentIdOf(text: string | null): string | null {
  return text === null ? null : (decodeTypeId('shp', text) ?? uuidOf(text));
}

function uuidOf(text: string | null): string | null {
  return text !== null && uuidPattern.test(text) ? text : null;
}

function microseconds([seconds, nanoseconds]: HrTime): number {
  return seconds * 1_000_000 + Math.round(nanoseconds / 1000);
}
