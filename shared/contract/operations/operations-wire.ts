import { z } from 'zod';
import { circuitStates } from '#shared/domain/carriers/carrier-service.ts';
import type { OperationsState } from '#shared/domain/operations/operations.ts';
import { toShipmentId } from '../shipments/shipment-id.ts';

const moment = z.iso.datetime();
const number = z.number();

/** How the whole installation does. Ages and durations as their names say; rates over the last five minutes. */
export const wireOperations = z.strictObject({
  as_of: moment,
  workers: z.int(),
  due: z.strictObject({ count: z.int(), oldest_age_s: number }),
  /** The oldest change without a position in the feed, and the oldest delivery of a carrier that was not read. */
  feed_age_s: number,
  delivery_age_s: number,
  registrations_per_minute: number,
  calls_per_minute: number,
  connectors: z.array(
    z.strictObject({
      connector: z.string(),
      name: z.string(),
      requests: z.int(),
      succeeded: z.int(),
      latency_p50_ms: number.nullable(),
      latency_p95_ms: number.nullable(),
      /** What its p95 usually is. */
      usual_ms: number.nullable(),
      circuit: z.enum(circuitStates),
      budget_left: number.nullable(),
      closed_for_s: number.nullable(),
      last_success_at: moment.nullable(),
      last_error_at: moment.nullable(),
      last_error_reason: z.string().nullable(),
      due_oldest_age_s: number.nullable(),
      due_count: z.int(),
      /** Credentials that the carrier refuses. */
      suspended: z.int(),
    }),
  ),
  /** Refreshes of the last quarter of an hour that failed, by why. `asked` false: nothing was sent. */
  failures: z.array(
    z.strictObject({
      connector: z.string(),
      reason: z.string(),
      http_status: z.int().nullable(),
      asked: z.boolean(),
      refreshes: z.int(),
    }),
  ),
  recent: z.array(
    z.strictObject({
      at: moment,
      carrier: z.string(),
      connector: z.string(),
      shipment_id: z.string(),
      reason: z.string(),
      http_status: z.int().nullable(),
      duration_ms: number,
      trace_id: z.string().nullable(),
    }),
  ),
  /** Null: the queue does not answer. */
  queues: z
    .array(
      z.strictObject({ connector: z.string(), waiting: z.int(), active: z.int(), delayed: z.int(), failed: z.int() }),
    )
    .nullable(),
});
export type WireOperations = z.infer<typeof wireOperations>;

export function toWireOperations(state: OperationsState): WireOperations {
  return {
    as_of: state.at,
    workers: state.workers,
    due: { count: state.dueCount, oldest_age_s: state.dueOldestAgeS },
    feed_age_s: state.unsequencedAgeS,
    delivery_age_s: state.deliveryAgeS,
    registrations_per_minute: state.registrationsPerMinute,
    calls_per_minute: state.callsPerMinute,
    connectors: state.connectors.map((connector) => ({
      connector: connector.connector,
      name: connector.name,
      requests: connector.requests,
      succeeded: connector.succeeded,
      latency_p50_ms: connector.latencyP50Ms,
      latency_p95_ms: connector.latencyP95Ms,
      usual_ms: connector.usualMs,
      circuit: connector.circuit,
      budget_left: connector.budgetLeft,
      closed_for_s: connector.closedForS,
      last_success_at: connector.lastSuccessAt,
      last_error_at: connector.lastErrorAt,
      last_error_reason: connector.lastErrorReason,
      due_oldest_age_s: connector.dueOldestAgeS,
      due_count: connector.dueCount,
      suspended: connector.suspended,
    })),
    failures: state.failures.map(({ connector, reason, httpStatus, asked, refreshes }) => ({
      connector,
      reason,
      http_status: httpStatus,
      asked,
      refreshes,
    })),
    recent: state.recent.map((failure) => ({
      at: failure.at,
      carrier: failure.carrier,
      connector: failure.connector,
      shipment_id: toShipmentId(failure.shipmentId),
      reason: failure.reason,
      http_status: failure.httpStatus,
      duration_ms: failure.durationMs,
      trace_id: failure.traceId,
    })),
    queues: state.queues?.map(({ connector, counts }) => ({ connector, ...counts })) ?? null,
  };
}

export const wireTraceSummary = z.strictObject({
  trace_id: z.string(),
  name: z.string(),
  services: z.array(z.string()),
  started_at: moment,
  duration_ms: number,
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
  started_at: moment,
  duration_ms: number,
  spans: z.array(
    z.strictObject({
      span_id: z.string(),
      parent_span_id: z.string().nullable(),
      depth: z.int(),
      service: z.string(),
      name: z.string(),
      kind: z.string(),
      status: z.string(),
      offset_ms: number,
      duration_ms: number,
      attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      links: z.array(z.strictObject({ trace_id: z.string(), span_id: z.string() })),
    }),
  ),
});
export type WireTrace = z.infer<typeof wireTrace>;
export type WireTraceSummary = z.infer<typeof wireTraceSummary>;
