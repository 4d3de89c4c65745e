import type { WireOperations } from '#shared/contract/installation/operations-wire.ts';
import type { WireTrace } from '#shared/contract/installation/trace-wire.ts';
import type { ConnectorState, OperationsState } from '#shared/domain/installation/operations.ts';
import type { TrackingReason } from '#shared/domain/record/shipment.ts';

export type { WireOperationsHistory } from '#shared/contract/installation/operations-history-wire.ts';
export type { WireOperations } from '#shared/contract/installation/operations-wire.ts';
export type { WireTrace, WireTraceSummary } from '#shared/contract/installation/trace-wire.ts';
export type WireConnector = WireOperations['connectors'][number];
export type WireSpan = WireTrace['spans'][number];

/** Maps the wire to the domain's names, so that the domain's rules apply here too. */
export function stateOf(state: WireOperations): OperationsState {
  return {
    at: state.as_of,
    workers: state.workers,
    loopDelayMs: state.loop_delay_ms,
    completedAgeS: state.completed_age_s,
    connectors: state.connectors.map(connectorOf),
    failures: state.failures.map(({ http_status: httpStatus, reason, ...rest }) => ({
      ...rest,
      reason: reason as TrackingReason,
      httpStatus,
    })),
    recent: [],
    // The rules only need to know whether the queue is available.
    storageFull: state.storage_full,
    queues: state.queues === null ? null : [],
    dueOldestAgeS: state.due.oldest_age_s,
    dueCount: state.due.count,
    unsequencedAgeS: state.feed_age_s,
    deliveryAgeS: state.delivery_age_s,
    webhooks: {
      enabled: state.webhooks.enabled,
      failing: state.webhooks.failing,
      disabled: state.webhooks.disabled,
      waiting: state.webhooks.waiting,
      oldestWaitingAgeS: state.webhooks.oldest_waiting_age_s,
      unsent: state.webhooks.unsent,
      unsentAgeS: state.webhooks.unsent_age_s,
    },
    registrationsPerMinute: state.registrations_per_minute,
    callsPerMinute: state.calls_per_minute,
  };
}

export function connectorOf(one: WireConnector): ConnectorState {
  return {
    connector: one.connector,
    name: one.name,
    requests: one.requests,
    succeeded: one.succeeded,
    latencyP50Ms: one.latency_p50_ms,
    latencyP95Ms: one.latency_p95_ms,
    usualMs: one.usual_ms,
    circuit: one.circuit,
    budgetLeft: one.budget_left,
    closedForS: one.closed_for_s,
    lastSuccessAt: one.last_success_at,
    lastErrorAt: one.last_error_at,
    lastErrorReason: one.last_error_reason as TrackingReason | null,
    dueOldestAgeS: one.due_oldest_age_s,
    dueCount: one.due_count,
    suspended: one.suspended,
    unreadableEvents: one.unreadable_events,
  };
}
