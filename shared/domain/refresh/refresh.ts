import type { TransportMode } from '../events/transport-mode.ts';
import type { Identifiers, TrackingReason, TrackingState } from '../record/shipment.ts';
import type { CadenceJourney } from './cadence-phase.ts';

/** One claimed refresh: the shipment at one epoch. A write with an older epoch is refused (fencing). */
export type RefreshClaim = {
  accountId: string;
  shipmentId: string;
  epoch: number;
  /** A client requested this refresh, so it belongs to the trace of that request. */
  requested?: boolean | undefined;
  /** A person may be waiting for this refresh: it runs before those that are merely due. */
  hurried?: boolean | undefined;
};

/** The polling state when the lease was renewed. `readingHash` and `answerHash` are hex. Times are ISO UTC. */
export type PollingState = {
  state: TrackingState;
  reason: TrackingReason | null;
  consecutiveFailures: number;
  readingHash: string | null;
  /** Hash of the last response's bytes. Only valid together with a `readingHash`. */
  answerHash?: string | null;
  lastSucceededAt: string | null;
  lastChangedAt: string | null;
};

/** Data that a connector needs to query the carrier about a shipment, and that core needs to record the result. */
export type RefreshSubject = RefreshClaim & {
  transportMode: TransportMode;
  carrier: string;
  identifiers: Identifiers;
  /** The W3C traceparent of the registration. Later refreshes link to it. */
  registrationTraceparent: string | null;
  /**
   * False until the first refresh was recorded: that one is a child of the registration's trace, later ones are roots.
   */
  refreshedBefore: boolean;
  test: boolean;
  /** Number of advances of a test shipment. */
  testSteps: number;
  /** The registration, or the last time tracking was resumed (ISO UTC). */
  trackingSince: string;
  createdAt: string;
  /**
   * Offset of Postgres's clock from this process's (ms): a worker with a wrong clock must not move due times.
   */
  clockOffsetMs: number;
  journey: CadenceJourney;
  polling: PollingState;
  /** When the refresh was due, by Postgres's clock (ISO UTC). */
  dueAt?: string;
  /** A client requested a refresh that has not happened yet. */
  urgent?: boolean;
  /** The carrier also pushes this account's events. */
  pushActive?: boolean;
  /** A demonstration shipment, which only a simulated carrier may be asked about. */
  demonstration?: boolean;
};
