import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Context, context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { spanContextOf } from './events.ts';

/** The methods of the semantic conventions. A method that a client made up must not become a span name. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY']);
/** Requested by probes every few seconds. */
const unwatchedPaths = new Set(['/livez', '/readyz', '/metrics']);
let isWatching = false;

/**
 * Makes every request to a server of `node:http` a span: the first one of its own trace, linked to the trace that the
 * client names in `traceparent`. The OpenTelemetry instrumentation binds every listener of the request and response to
 * the context and collects attributes that are removed again, which was two thirds of the cost of tracing a request.
 */
export function watchHttpServers(): void {
  if (isWatching) return;
  isWatching = true;
  const emit = Server.prototype.emit as (this: Server, event: string | symbol, ...args: unknown[]) => boolean;
  Server.prototype.emit = function watched(this: Server, event: string | symbol, ...args: unknown[]): boolean {
    const [request, response] = args;
    if (
      event !== 'request' ||
      !(request instanceof IncomingMessage) ||
      !(response instanceof ServerResponse) ||
      !isWatched(request)
    )
      return emit.call(this, event, ...args);
    const span = startSpan(request);
    const inside = trace.setSpan(ROOT_CONTEXT, span);
    response.once('close', () => endSpan(span, response));
    // A body arrives in the context of its connection, but its listeners belong to the request.
    if (hasBody(request)) emitInside(inside, request);
    return context.with(inside, () => emit.call(this, event, ...args));
  };
}

/** `context.bind` would wrap every listener and each method that adds one, at several times the cost. */
function emitInside(inside: Context, request: IncomingMessage): void {
  const { emit } = request;
  request.emit = (...args: Parameters<typeof emit>) => context.with(inside, emit, request, ...args);
}

function isWatched({ method, url = '' }: IncomingMessage): boolean {
  return method !== 'OPTIONS' && !unwatchedPaths.has(url) && !unwatchedPaths.has(url.split('?', 1)[0] ?? '');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
  );
}

function startSpan({ method = 'GET', headers, socket }: IncomingMessage): Span {
  const claimed = typeof headers.traceparent === 'string' ? spanContextOf(headers.traceparent) : null;
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  const isKnown = methods.has(method);
  return trace.getTracer('landfall').startSpan(
    isKnown ? method : 'HTTP',
    {
      kind: SpanKind.SERVER,
      attributes: isKnown
        ? { 'http.request.method': method, 'url.scheme': scheme }
        : { 'http.request.method': '_OTHER', 'http.request.method_original': method, 'url.scheme': scheme },
      ...(claimed === null ? {} : { links: [{ context: claimed }] }),
    },
    ROOT_CONTEXT,
  );
}

/** A client that disconnects early gets no response, so the span has no status code. */
function endSpan(span: Span, { headersSent, statusCode }: ServerResponse): void {
  // The response stayed open, and its span ended when it began.
  if (!span.isRecording()) return;
  if (headersSent) {
    span.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500)
      span.setAttribute('error.type', String(statusCode)).setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
