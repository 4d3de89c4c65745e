import type { TraceSummary } from '#shared/domain/operations/trace.ts';
import type { Waterfall } from '#shared/domain/operations/waterfall.ts';
import { toShipmentId } from '../shipments/shipment-id.ts';

/** A trace in a list, as operators get it. Durations in milliseconds. */
export function toWireTraceSummary(trace: TraceSummary) {
  return {
    trace_id: trace.traceId,
    name: trace.name,
    services: trace.services,
    started_at: isoTime(trace.startedAtUs),
    duration_ms: milliseconds(trace.durationUs),
    failed: trace.failed,
    http_status: trace.httpStatus,
    error_type: trace.errorType,
    outcome: trace.outcome,
    carrier: trace.carrier,
    shipment_id: trace.shipmentId === null ? null : toShipmentId(trace.shipmentId),
  };
}

/** A whole trace: its spans from top to bottom, each with its depth in the tree. */
export function toWireTrace(trace: Waterfall) {
  return {
    trace_id: trace.traceId,
    started_at: isoTime(trace.startedAtUs),
    duration_ms: milliseconds(trace.durationUs),
    spans: trace.spans.map((span) => ({
      span_id: span.spanId,
      parent_span_id: span.parentSpanId,
      depth: span.depth,
      service: span.service,
      name: span.name,
      kind: span.kind,
      status: span.status,
      offset_ms: milliseconds(span.offsetUs),
      duration_ms: milliseconds(span.durationUs),
      attributes: span.attributes,
      links: span.links.map(({ traceId, spanId }) => ({ trace_id: traceId, span_id: spanId })),
    })),
  };
}

function isoTime(us: number): string {
  return new Date(us / 1000).toISOString();
}

function milliseconds(us: number): number {
  return us / 1000;
}
