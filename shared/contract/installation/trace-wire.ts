import { z } from 'zod';
import { type TraceFilter, type TraceSummary, traceOrders } from '#shared/domain/installation/trace.ts';
import type { Waterfall } from '#shared/domain/installation/waterfall.ts';
import type { RefreshOutcome } from '#shared/domain/record/shipment.ts';
import { parseQuery } from '../input/parse-query.ts';
import type { RawQuery } from '../operation.ts';
import { readShipmentId, toShipmentId } from '../record/shipment-id.ts';

const outcomes = ['changed', 'unchanged', 'not_found', 'error'] as const satisfies readonly RefreshOutcome[];
const hourS = 3600;
/** Traces are kept for this long. */
const maxS = 3 * 24 * hourS;

export const findTracesQuery = z.strictObject({
  shipment: z
    .string()
    .refine((text) => readShipmentId(text) !== null, {
      error: 'must be a shipment id: shp_ followed by 26 characters.',
    })
    .optional(),
  carrier: z.string().min(1).max(40).optional(),
  outcome: z.enum(outcomes).optional(),
  failed: z.boolean().optional(),
  since_s: z.int().min(1).max(maxS).optional(),
  order: z.enum(traceOrders).optional(),
  limit: z.int().min(1).max(200).optional(),
});

/**
 * The default period is the last hour, or everything that is kept of one shipment. Throws LandfallError that names
 * every mistake.
 */
export function parseFindTracesQuery(query: RawQuery): TraceFilter {
  const { shipment, carrier, outcome, failed, since_s: sinceS, order, limit } = parseQuery(findTracesQuery, query);
  return {
    shipmentId: shipment === undefined ? null : readShipmentId(shipment),
    carrier: carrier ?? null,
    outcome: outcome ?? null,
    failed: failed ?? false,
    sinceS: sinceS ?? (shipment === undefined ? hourS : maxS),
    order: order ?? 'newest',
    limit: limit ?? 50,
  };
}

export const wireTraceSummary = z.strictObject({
  trace_id: z.string(),
  name: z.string(),
  services: z.array(z.string()),
  started_at: z.iso.datetime(),
  duration_ms: z.number(),
  failed: z.boolean(),
  http_status: z.int().nullable(),
  error_type: z.string().nullable(),
  outcome: z.string().nullable(),
  carrier: z.string().nullable(),
  shipment_id: z.string().nullable(),
});
export const wireTraces = z.strictObject({ data: z.array(wireTraceSummary) });

/** Spans from top to bottom, each with its depth in the tree. */
export const wireTrace = z.strictObject({
  trace_id: z.string(),
  started_at: z.iso.datetime(),
  duration_ms: z.number(),
  spans: z.array(
    z.strictObject({
      span_id: z.string(),
      parent_span_id: z.string().nullable(),
      depth: z.int(),
      service: z.string(),
      name: z.string(),
      kind: z.string(),
      status: z.string(),
      offset_ms: z.number(),
      duration_ms: z.number(),
      attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      links: z.array(z.strictObject({ trace_id: z.string(), span_id: z.string() })),
    }),
  ),
});
export type WireTrace = z.infer<typeof wireTrace>;
export type WireTraceSummary = z.infer<typeof wireTraceSummary>;

export function toWireTraceSummary(trace: TraceSummary): WireTraceSummary {
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

export function toWireTrace(trace: Waterfall): WireTrace {
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
