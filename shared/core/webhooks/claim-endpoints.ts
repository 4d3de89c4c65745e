import { encodeTypeId } from '#shared/domain/type-id.ts';
import { maxEndpoints } from '#shared/domain/webhooks/endpoint.ts';
import type { WebhookTarget } from '#shared/domain/webhooks/send-webhook.ts';
import {
  beginClaimedEndpoints,
  type ClaimedEndpoint,
  claimEndpoints,
  type EndpointClaim,
  releaseEndpoints,
  renewEndpoints,
} from '#shared/store/webhooks/claims.ts';
import { type EndpointProgress, type RecordedEndpoint, recordProgress } from '#shared/store/webhooks/outcomes.ts';
import {
  findWaitingEndpoints,
  readSelections,
  type SkippedChanges,
  type StoredSelection,
  skipChanges,
  type WaitingEndpoint,
} from '#shared/store/webhooks/waiting-endpoints.ts';
import { withSystem, withSystemByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { openTarget } from './endpoint-secrets.ts';

export type { EndpointClaim, EndpointProgress, RecordedEndpoint, SkippedChanges, StoredSelection, WaitingEndpoint };

/** Seconds that an endpoint belongs to a worker that gives no more sign of life. */
export const endpointLeaseS = 10;
/** Endpoints of any accounts in one call. */
export const claimBatchSize = 1000;

/** Claimed endpoints of one account. */
export type ClaimedAccount = { accountId: string; endpoints: { id: string; epoch: number }[] };

/** Enabled and free endpoints that have work, all of these accounts or, with null, some of any. */
export function findWaitingWebhooks(
  ctx: CoreContext,
  accountIds: readonly string[] | null,
): Promise<WaitingEndpoint[]> {
  if (accountIds === null)
    return withSystem(ctx.store, (tx) => findWaitingEndpoints(tx, null, { limit: claimBatchSize }));
  const limit = accountIds.length * maxEndpoints;
  return withSystemByKey(ctx.store, (tx) => findWaitingEndpoints(tx, accountIds, { limit }));
}

/** Claims those of these endpoints that still have work and are free. */
export async function claimWebhooks(
  ctx: CoreContext,
  endpoints: readonly Pick<WaitingEndpoint, 'accountId' | 'endpointId'>[],
): Promise<ClaimedAccount[]> {
  const claims = await withSystemByKey(ctx.store, (tx) => claimEndpoints(tx, endpoints, endpointLeaseS));
  const byAccount = Map.groupBy(claims, ({ accountId }) => accountId);
  return [...byAccount].map(([accountId, own]) => ({
    accountId,
    endpoints: own.map(({ endpointId, epoch }) => ({ id: endpointId, epoch })),
  }));
}

/** Moves free endpoints past changes that none of them selects. */
export async function skipUnwanted(ctx: CoreContext, skipped: readonly SkippedChanges[]): Promise<void> {
  await withSystemByKey(ctx.store, (tx) => skipChanges(tx, skipped));
}

/** Reads the selections of endpoints by their ids. */
export function readWebhookSelections(
  ctx: CoreContext,
  endpoints: readonly Pick<WaitingEndpoint, 'accountId' | 'endpointId'>[],
): Promise<Map<string, StoredSelection>> {
  return withSystemByKey(ctx.store, (tx) => readSelections(tx, endpoints));
}

/** An endpoint that this worker has, with its secrets in plain text: never log or return it. */
export type HeldEndpoint = Omit<ClaimedEndpoint, 'secrets'> & { target: WebhookTarget };

/**
 * The endpoints of a job whose claims still hold, each at a new epoch. One whose secrets can't be read is left out and
 * logged; it is tried again when its lease has expired.
 */
export async function beginWebhooks(
  ctx: CoreContext,
  { accountId, endpoints }: ClaimedAccount,
): Promise<HeldEndpoint[]> {
  const claims = endpoints.map(({ id, epoch }) => ({ endpointId: id, epoch }));
  const claimed = await withSystemByKey(ctx.store, (tx) => beginClaimedEndpoints(tx, accountId, claims));
  const opened = await Promise.all(
    claimed.map(async ({ secrets, ...endpoint }) => {
      try {
        const { endpointId: id, url, test, timeoutS } = endpoint;
        return [{ ...endpoint, target: await openTarget(ctx, accountId, { id, url, test, timeoutS }, secrets) }];
      } catch (error) {
        ctx.log.error(
          { err: error, account_id: accountId, endpoint_id: encodeTypeId('whe', endpoint.endpointId) },
          'webhook endpoint skipped: its secrets cannot be read',
        );
        return [];
      }
    }),
  );
  return opened.flat();
}

/** Renews leases. Returns the ids of the endpoints that this worker still has. */
export function renewWebhooks(ctx: CoreContext, claims: readonly EndpointClaim[]): Promise<Set<string>> {
  return withSystemByKey(ctx.store, (tx) => renewEndpoints(tx, claims, endpointLeaseS));
}

/** Writes the outcomes of deliveries and renews the leases. Endpoints that another worker has by now are left out. */
export function recordWebhooks(ctx: CoreContext, progress: readonly EndpointProgress[]): Promise<RecordedEndpoint[]> {
  return withSystemByKey(ctx.store, (tx) => recordProgress(tx, progress, endpointLeaseS));
}

export async function releaseWebhooks(ctx: CoreContext, claims: readonly EndpointClaim[]): Promise<void> {
  await withSystemByKey(ctx.store, (tx) => releaseEndpoints(tx, claims));
}
