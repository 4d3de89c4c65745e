import { randomBytes } from 'node:crypto';
import type { TracePart, TraceSpan } from '#shared/domain/installation/trace.ts';

export const newTraceId = (): string => randomBytes(16).toString('hex');

/** A span of the given trace that starts now. */
export function traceSpan(traceId: string, changes: Partial<TraceSpan> = {}): TraceSpan {
  return {
    traceId,
    spanId: randomBytes(8).toString('hex'),
    parentSpanId: null,
    service: 'landfall-worker',
    name: 'refresh-shipment',
    kind: 'internal',
    startedAtUs: Date.now() * 1000,
    durationUs: 1500,
    status: 'unset',
    attributes: {},
    links: [],
    ...changes,
  };
}

/** A part of a trace, by default with one span. */
export function tracePart(changes: Partial<TracePart> = {}): TracePart {
  const traceId = changes.traceId ?? newTraceId();
  const spans = changes.spans ?? [traceSpan(traceId, { name: changes.name ?? 'refresh-shipment' })];
  return {
    traceId,
    service: 'landfall-worker',
    name: 'refresh-shipment',
    startedAtUs: spans[0]?.startedAtUs ?? Date.now() * 1000,
    durationUs: 1500,
    keptFor: 'share',
    failed: false,
    httpStatus: null,
    errorType: null,
    outcome: null,
    carrier: null,
    shipmentId: null,
    accountId: null,
    ...changes,
    spans,
  };
}
