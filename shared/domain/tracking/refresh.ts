import type { Identifiers, TrackingReason, TrackingState } from '../shipments/shipment.ts';
import type { TransportMode } from '../shipments/transport-mode.ts';
import type { CadenceJourney } from './cadence-phase.ts';

/** One claimed refresh: the shipment at one epoch. A write with an older epoch is refused (fencing). */
export type RefreshClaim = {
  accountId: string;
  shipmentId: string;
  epoch: number;
  /** A client asked for this refresh, so it belongs to the trace of that request. */
  requested?: boolean | undefined;
  /** Somebody may be waiting for this refresh: it goes before those that only became due. */
  hurried?: boolean | undefined;
};

/** How polling stood when the lease was renewed; `readingHash` and `answerHash` are hex. Times are ISO UTC. */
export type PollingState = {
  state: TrackingState;
  reason: TrackingReason | null;
  consecutiveFailures: number;
  readingHash: string | null;
  /** Of the last answer byte for byte; counts only beside a `readingHash`. */
  answerHash?: string | null;
  lastSucceededAt: string | null;
  lastChangedAt: string | null;
};

/** What a connector needs to know of a shipment to ask the carrier, and what core needs to record the answer. */
export type RefreshSubject = RefreshClaim & {
  transportMode: TransportMode;
  carrier: string;
  identifiers: Identifiers;
  /** W3C traceparent of the registration; later refreshes link to it. */
  registrationTraceparent: string | null;
  /** False until the first refresh was recorded: that refresh is a child of the registration's trace, later ones are new roots. */
  refreshedBefore: boolean;
  test: boolean;
  /** How often a test shipment was advanced. */
  testSteps: number;
  /** The registration, or the last time tracking was started again (ISO UTC). */
  trackingSince: string;
  createdAt: string;
  /** What to add to this process's clock to get Postgres's (ms): a worker with a wrong clock must not move due times. */
  clockOffsetMs: number;
  journey: CadenceJourney;
  polling: PollingState;
  /** When the refresh was due, by Postgres's clock (ISO UTC). */
  dueAt?: string;
  /** A client has asked for a refresh and has had none since. */
  urgent?: boolean;
  /** The carrier pushes this account's events to us as well. */
  pushActive?: boolean;
};
