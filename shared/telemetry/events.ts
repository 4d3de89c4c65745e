import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { spanContextOf, traceparentOf } from './traceparent.ts';

const spanKinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

export type SpanOptions = {
  attributes?: Attributes;
  /** Traceparents of other traces; malformed ones are left out. */
  links?: readonly string[];
  /** The traceparent to continue instead of the active span's. */
  parent?: string | null;
  /** Begin a new trace whatever is active. */
  root?: boolean;
  kind?: keyof typeof spanKinds;
};

/** The W3C traceparent of the active span, or null outside of any. */
export function currentTraceparent(): string | null {
  const active = activeSpanContext();
  return active === null ? null : traceparentOf(active);
}

/** The active trace's id (32 hex digits), or null outside of any. */
export function currentTraceId(): string | null {
  return activeSpanContext()?.traceId ?? null;
}

/** The active span's id (16 hex digits), or null outside of any. */
export function currentSpanId(): string | null {
  return activeSpanContext()?.spanId ?? null;
}

/** Runs `work` in a span. An error marks it by type and code only, never by message, and is thrown on. */
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

/** Sets attributes on the active span; with an `error.type` it has failed. Nothing happens outside of any. */
export function annotateSpan(attributes: Attributes): void {
  const span = trace.getActiveSpan();
  span?.setAttributes(attributes);
  if (attributes['error.type'] !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR });
}

/** Links the active span to the one of this traceparent; nothing happens outside of any, or when it is malformed. */
export function linkSpan(traceparent: string): void {
  trace.getActiveSpan()?.addLinks(linksOf([traceparent]));
}

/**
 * Names the request's server span, which must be the active one, after the route's pattern (`/v1/shipments/:id`), never after the path that
 * was asked for.
 */
export function setHttpRoute(method: string, route: string): void {
  trace.getActiveSpan()?.setAttribute('http.route', route).updateName(`${method} ${route}`);
}

function activeSpanContext(): SpanContext | null {
  const active = trace.getSpanContext(context.active());
  return active !== undefined && isSpanContextValid(active) ? active : null;
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
