import type { CoreContext } from '#shared/core/core-context.ts';
import type { EndpointProgress, HeldEndpoint, RecordedEndpoint } from '#shared/core/webhooks/claim-endpoints.ts';
import type { DeliveryOutcome } from '#shared/domain/webhooks/delivery-outcome.ts';
import type { FailureReason } from '#shared/domain/webhooks/endpoint.ts';
import type { DeliveryPermits } from './permits.ts';
import type { PreparedChange, PreparedFeeds } from './prepared-changes.ts';
import type { Progress } from './progress.ts';
import type { Selections } from './selections.ts';
import type { TryContext } from './try-delivery.ts';

export type DeliverContext = TryContext & {
  core: CoreContext;
  feeds: PreparedFeeds;
  selections: Pick<Selections, 'of'>;
  permits: DeliveryPermits;
  record: (progress: EndpointProgress) => Promise<RecordedEndpoint | null>;
  release: (endpoint: HeldEndpoint) => Promise<void>;
  disable: (endpoint: HeldEndpoint, reason: FailureReason) => Promise<void>;
};

/** One endpoint in the hands of this worker, until it has no more work or its turn ends. */
export type EndpointRun = {
  endpoint: HeldEndpoint;
  /** Returns whether the types and the filter of the endpoint select the change. */
  isWanted: (prepared: PreparedChange) => boolean | Promise<boolean>;
  progress: Progress;
  /** No more deliveries begin: the turn is over, the endpoint is disabled or lost, or the worker stops. */
  isEnding: () => boolean;
  /** Aborts requests whose outcome nobody may write any more. */
  signal: AbortSignal;
  /** Sends it once at its turn. Null: it was not sent, or its outcome is unknown. */
  deliver: (prepared: PreparedChange, tries: number) => Promise<DeliveryOutcome | null>;
};
