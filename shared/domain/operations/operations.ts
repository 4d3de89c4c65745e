import type { TrackingReason } from '../shipments/shipment.ts';
import type { QueueState } from '../tracking/queue-state.ts';

/** How a connector does, over all workers and credentials; times in ms, moments ISO UTC, rates over the last five minutes. */
export type ConnectorState = {
  connector: string;
  /** As a person calls it. */
  name: string;
  requests: number;
  succeeded: number;
  latencyP50Ms: number | null;
  latencyP95Ms: number | null;
  /** The p95 of its looks in the last two days but not the last ten minutes; null: too few are known. */
  usualMs: number | null;
  circuit: 'closed' | 'half_open' | 'open';
  budgetLeft: number | null;
  closedForS: number | null;
  lastSuccessAt: string | null;
  lastErrorAt: string | null;
  lastErrorReason: TrackingReason | null;
  /** Age in seconds of its oldest due shipment; null: none is due. */
  dueOldestAgeS: number | null;
  dueCount: number;
  /** Credentials that it refuses. */
  suspended: number;
};

/** Refreshes that failed in the last quarter of an hour, by why. `asked` false: the carrier was in a pause, and nothing was sent. */
export type FailureCount = {
  connector: string;
  reason: TrackingReason;
  httpStatus: number | null;
  asked: boolean;
  refreshes: number;
};

/** One refresh that failed when the carrier was asked. */
export type RecentFailure = {
  at: string;
  carrier: string;
  connector: string;
  shipmentId: string;
  reason: string;
  httpStatus: number | null;
  durationMs: number;
  traceId: string | null;
};

export type OperationsState = {
  at: string;
  workers: number;
  connectors: ConnectorState[];
  failures: FailureCount[];
  recent: RecentFailure[];
  /** Null: the queue does not answer. */
  queues: QueueState[] | null;
  dueOldestAgeS: number;
  dueCount: number;
  unsequencedAgeS: number;
  deliveryAgeS: number;
  registrationsPerMinute: number;
  callsPerMinute: number;
};
