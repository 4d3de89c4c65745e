import { SpanKind } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

const urlAttributes = ['url.full', 'http.url', 'http.target'];
const droppedAttributes = [
  'url.query',
  'user_agent.original',
  'http.user_agent',
  'client.address',
  'network.peer.address',
];
/** A DOMException has a numeric `code`, which means nothing to a reader. */
const exceptionNames: Readonly<Record<string, string>> = { 20: 'AbortError', 23: 'TimeoutError' };
const droppedOfExceptions = ['exception.message', 'exception.stacktrace'];

/**
 * Wraps an exporter and removes what a client or a carrier wrote: query strings, user agents and error messages. The
 * options of the instrumentations don't cover all of these, so this happens in one place, before export.
 */
export function createSpanScrubber(exporter: SpanExporter): SpanExporter {
  const flush = exporter.forceFlush?.bind(exporter);
  return {
    export: (spans, done) => {
      for (const span of spans) scrubSpan(span);
      exporter.export(spans, done);
    },
    shutdown: () => exporter.shutdown(),
    ...(flush === undefined ? {} : { forceFlush: flush }),
  };
}

/** Removes from a span what a client or a carrier wrote. Idempotent. */
export function scrubSpan(span: ReadableSpan): void {
  for (const name of droppedAttributes) delete span.attributes[name];
  for (const name of urlAttributes) {
    const url = span.attributes[name];
    if (typeof url === 'string') span.attributes[name] = withoutNumbers(withoutQuery(url));
  }
  const path = span.attributes['url.path'];
  if (typeof path === 'string') span.attributes['url.path'] = withoutNumbers(path);
  const named = exceptionNames[String(span.attributes['error.type'])];
  if (named !== undefined) span.attributes['error.type'] = named;
  if (span.kind === SpanKind.SERVER) keepRouteOnly(span);
  delete span.status.message;
  for (const event of span.events) {
    for (const name of droppedOfExceptions) delete event.attributes?.[name];
  }
}

/** A client types the path, and may type a key by mistake, so only the matched route is exported. */
function keepRouteOnly(span: ReadableSpan): void {
  for (const name of ['url.path', ...urlAttributes]) delete span.attributes[name];
  const route = span.attributes['http.route'];
  if (typeof route === 'string') span.attributes['url.path'] = route;
}

function withoutQuery(url: string): string {
  const withoutCredentials = url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1');
  return withoutCredentials.replace(/[?#].*$/s, '');
}

/** Carriers take shipment numbers in the path. A segment with a digit counts as one, unless it is a version. */
function withoutNumbers(url: string): string {
  const [, origin = '', path = ''] = /^([a-z]+:\/\/[^/]*)?(.*)$/is.exec(url) ?? [];
  const segments = path
    .split('/')
    .map((segment) => (/\d|%/.test(segment) && !/^v\d+([.-]\d+)*$/i.test(segment) ? ':number' : segment));
  return origin + segments.join('/');
}
