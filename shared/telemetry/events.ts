import {
  type Attributes,
  type Context,
  context,
  INVALID_TRACEID,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { type KeptReason, keptForAttribute } from '#shared/domain/installation/trace.ts';

const spanKinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

export type SpanOptions = {
  attributes?: Attributes;
  /** Traceparents of other traces. Malformed ones are ignored. */
  links?: readonly string[];
  /** The traceparent to continue instead of the active span's. */
  parent?: string | null;
  /** Starts a new trace, even inside an active one. */
  root?: boolean;
  kind?: keyof typeof spanKinds;
};

/** The W3C traceparent of the active span, or null outside any span. */
export function currentTraceparent(): string | null {
  const active = activeSpanContext();
  return active === null ? null : traceparentOf(active);
}

/** The id of the active trace (32 hex digits), or null outside any trace. */
export function currentTraceId(): string | null {
  return activeSpanContext()?.traceId ?? null;
}

/** The ids of the active trace and span (32 and 16 hex digits), or null outside any span. */
export function currentIds(): Pick<SpanContext, 'traceId' | 'spanId'> | null {
  return activeSpanContext();
}

/** Runs `work` in a span. An error marks the span with its type or code, never with its message, and is rethrown. */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T> | T): Promise<T> {
  const parent = parentContext(options);
  const span = trace.getTracer('landfall').startSpan(
    name,
    {
      kind: spanKinds[options.kind ?? 'internal'],
      attributes: options.attributes ?? {},
      links: linksOf(options.links ?? []),
    },
    parent,
  );
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Sets attributes on the active span, if any. An `error.type` marks the span as failed. */
export function annotateSpan(attributes: Attributes): void {
  const span = trace.getActiveSpan();
  span?.setAttributes(attributes);
  if (attributes['error.type'] !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR });
}

/** Ends the request's server span, which must be active, when its response has begun: it stays open for hours. */
export function endServerSpan(statusCode: number): void {
  trace.getActiveSpan()?.setAttribute('http.response.status_code', statusCode).end();
}

/** Has the trace store keep this process's part of the active trace, if any. */
export function keepTrace(reason: Extract<KeptReason, 'requested' | 'test'>): void {
  trace.getActiveSpan()?.setAttribute(keptForAttribute, reason);
}

/** Links the active span, if any, to the span of this traceparent. Ignores a malformed one. */
export function linkSpan(traceparent: string): void {
  trace.getActiveSpan()?.addLinks(linksOf([traceparent]));
}

/**
 * Names the request's server span, which must be active, after the pattern of its route (`/v1/shipments/:id`), never
 * after the requested path.
 */
export function setHttpRoute(method: string, route: string): void {
  trace.getActiveSpan()?.setAttribute('http.route', route).updateName(`${method} ${route}`);
}

/** Reads a W3C `traceparent`. Null: it is malformed. */
export function spanContextOf(traceparent: string): SpanContext | null {
  const parsed = parseTraceParent(traceparent);
  return parsed === null ? null : { ...parsed, isRemote: true };
}

function traceparentOf(spanContext: SpanContext): string {
  return `00-${spanContext.traceId}-${spanContext.spanId}-${spanContext.traceFlags.toString(16).padStart(2, '0')}`;
}

function activeSpanContext(): SpanContext | null {
  const active = trace.getSpanContext(context.active());
  // A span that tracing is suppressed for has zeros for an id. Every other id was made or parsed here.
  return active !== undefined && active.traceId !== INVALID_TRACEID ? active : null;
}

function parentContext(options: SpanOptions): Context {
  if (options.root === true) return trace.deleteSpan(context.active());
  const named = typeof options.parent === 'string' ? spanContextOf(options.parent) : null;
  return named === null ? context.active() : trace.setSpanContext(ROOT_CONTEXT, named);
}

function linksOf(traceparents: readonly string[]): Link[] {
  return traceparents.flatMap((traceparent) => {
    const linked = spanContextOf(traceparent);
    return linked === null ? [] : [{ context: linked }];
  });
}

function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', errorType(error));
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
