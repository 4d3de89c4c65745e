import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { spanContextOf } from './traceparent.ts';

/** Those that the semantic conventions know; what a client makes up is no name of a span. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY']);
/** Asked by machines every few seconds, and nobody's work. */
const unwatchedPaths = new Set(['/livez', '/readyz', '/metrics']);
let isWatching = false;

/**
 * From now on every request to a server of `node:http` is a span: the first of its own trace, linked to the one the client named in
 * `traceparent`. The package for it binds every listener of request and response to the context and gathers attributes that are taken out again, which
 * was two thirds of what tracing cost a request.
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
    // A body arrives in the connection's context; whoever listens for it was in the request's.
    if (hasBody(request)) context.bind(inside, request);
    return context.with(inside, () => emit.call(this, event, ...args));
  };
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

/** Nothing was answered to a client that went away before: there is no status to tell. */
function endSpan(span: Span, { headersSent, statusCode }: ServerResponse): void {
  if (headersSent) {
    span.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500)
      span.setAttribute('error.type', String(statusCode)).setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
