import type { SpanContext } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

/** Reads a W3C `traceparent`; null when it is malformed. */
export function spanContextOf(traceparent: string): SpanContext | null {
  const parsed = parseTraceParent(traceparent);
  return parsed === null ? null : { ...parsed, isRemote: true };
}

/** Writes a W3C `traceparent`. */
export function traceparentOf(spanContext: SpanContext): string {
  return `00-${spanContext.traceId}-${spanContext.spanId}-${spanContext.traceFlags.toString(16).padStart(2, '0')}`;
}
