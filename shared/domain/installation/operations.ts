import type { TrackingReason } from '../record/shipment.ts';

/**
 * The state of a connector across workers and credentials. Durations in ms, times in ISO UTC, rates over the last five
 * minutes.
 */
export type ConnectorState = {
  connector: string;
  /** Display name. */
  name: string;
  requests: number;
  succeeded: number;
  latencyP50Ms: number | null;
  latencyP95Ms: number | null;
  /** The p95 of its refreshes in the last two days without the last ten minutes. Null: too few. */
  usualMs: number | null;
  circuit: 'closed' | 'half_open' | 'open';
  budgetLeft: number | null;
  closedForS: number | null;
  lastSuccessAt: string | null;
  lastErrorAt: string | null;
  lastErrorReason: TrackingReason | null;
  /** Age of its oldest due shipment, in seconds. Null: none is due. */
  dueOldestAgeS: number | null;
  dueCount: number;
  /** Credentials that the carrier rejects. */
  suspended: number;
  /** Events of the last 24 hours that could not be read. */
  unreadableEvents: number;
};

/**
 * Refreshes that failed in the last 15 minutes, by reason. `asked` false: the carrier was paused and nothing was sent.
 */
export type FailureCount = {
  connector: string;
  reason: TrackingReason;
  httpStatus: number | null;
  asked: boolean;
  refreshes: number;
};

/** One refresh that failed at the carrier. */
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
  /**
   * Event loop delay at the 99th percentile: of the API process that answers, and of the worst worker (null: no worker
   * reports it).
   */
  loopDelayMs: { api: number; worker: number | null };
  /** Since a live worker completed a refresh or started, in seconds. Null: no worker is running. */
  completedAgeS: number | null;
  connectors: ConnectorState[];
  failures: FailureCount[];
  recent: RecentFailure[];
  /** The disk of the database is full. */
  storageFull: boolean;
  /** Null: the queue is unavailable. */
  queues: QueueState[] | null;
  dueOldestAgeS: number;
  dueCount: number;
  unsequencedAgeS: number;
  deliveryAgeS: number;
  webhooks: WebhookState;
  registrationsPerMinute: number;
  callsPerMinute: number;
};

/** The webhooks of all accounts, each number counted up to 10,000. Ages in seconds; 0: there is none. */
export type WebhookState = {
  enabled: number;
  /** Enabled endpoints whose last delivery failed. */
  failing: number;
  /** Endpoints that Landfall disabled, because they were gone or failed for days. */
  disabled: number;
  /** Deliveries to be tried again, or requested again. */
  waiting: number;
  oldestWaitingAgeS: number;
  /** Positions of the feed that enabled endpoints have not come to yet: at least as many as changes. */
  unsent: number;
  /** The oldest change that an enabled endpoint has not come to yet. */
  unsentAgeS: number;
};

/** Jobs of one connector's queue. */
export type QueueState = {
  connector: string;
  counts: { waiting: number; active: number; delayed: number; failed: number };
};
