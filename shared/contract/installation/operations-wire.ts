import { z } from 'zod';
import { circuitStates } from '#shared/domain/carriers/carrier-service.ts';
import type { OperationsState } from '#shared/domain/installation/operations.ts';
import { toShipmentId } from '../record/shipment-id.ts';

const moment = z.iso.datetime();
const number = z.number();

/** The state of the installation. Rates cover the last five minutes. */
export const wireOperations = z.strictObject({
  as_of: moment,
  workers: z.int(),
  /** Event loop delay (p99): of the API process that answers, and of the worst worker. */
  loop_delay_ms: z.strictObject({ api: number, worker: number.nullable() }),
  /** Since a live worker completed a refresh or started. Null if no worker is running. */
  completed_age_s: number.nullable(),
  due: z.strictObject({ count: z.int(), oldest_age_s: number }),
  /**
   * Age of the oldest change without a position in the feed, and of the oldest unprocessed webhook delivery of a
   * carrier.
   */
  feed_age_s: number,
  delivery_age_s: number,
  /** Webhooks of all accounts, each number counted up to 10,000. */
  webhooks: z.strictObject({
    enabled: z.int(),
    failing: z.int(),
    /** By Landfall, not on request. */
    disabled: z.int(),
    waiting: z.int(),
    oldest_waiting_age_s: number,
    /** Positions of the feed that enabled endpoints have not come to yet. */
    unsent: z.int(),
    unsent_age_s: number,
  }),
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
      /** Usual p95. */
      usual_ms: number.nullable(),
      circuit: z.enum(circuitStates),
      budget_left: number.nullable(),
      closed_for_s: number.nullable(),
      last_success_at: moment.nullable(),
      last_error_at: moment.nullable(),
      last_error_reason: z.string().nullable(),
      due_oldest_age_s: number.nullable(),
      due_count: z.int(),
      /** Credentials that the carrier rejects. */
      suspended: z.int(),
      /** Events of the last 24 hours that could not be read. */
      unreadable_events: z.int(),
    }),
  ),
  /** Failed refreshes of the last 15 minutes by reason. `asked` false: no request was sent. */
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
  /** True when the disk of the database is full, so that nothing can be written. */
  storage_full: z.boolean(),
  /** Null if the queue is unavailable. */
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
    loop_delay_ms: state.loopDelayMs,
    completed_age_s: state.completedAgeS,
    due: { count: state.dueCount, oldest_age_s: state.dueOldestAgeS },
    feed_age_s: state.unsequencedAgeS,
    delivery_age_s: state.deliveryAgeS,
    webhooks: {
      enabled: state.webhooks.enabled,
      failing: state.webhooks.failing,
      disabled: state.webhooks.disabled,
      waiting: state.webhooks.waiting,
      oldest_waiting_age_s: state.webhooks.oldestWaitingAgeS,
      unsent: state.webhooks.unsent,
      unsent_age_s: state.webhooks.unsentAgeS,
    },
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
      unreadable_events: connector.unreadableEvents,
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
    storage_full: state.storageFull,
    queues: state.queues?.map(({ connector, counts }) => ({ connector, ...counts })) ?? null,
  };
}
