import { withDeadline } from '#shared/async/deadline.ts';
import type { RefreshItem } from '#shared/queue/jobs.ts';
import { releaseFirstClaims } from '#shared/store/tracking/request-refresh.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** A refresh that a request has claimed. `requested`: a client asked for it, after the registration. */
export type ClaimedRefresh = {
  accountId: string;
  shipmentId: string;
  epoch: number;
  connector: string;
  requested?: boolean;
};

/** `hurried`: a client waits for each of them. */
export type ClaimedRefreshes = { accountId: string; connector: string; items: RefreshItem[]; hurried: boolean };

/** Queues one claimed and committed refresh, like `enqueueRefreshes`. */
export async function enqueueRefresh(ctx: CoreContext, { connector, ...item }: ClaimedRefresh): Promise<void> {
  await enqueueRefreshes(ctx, { accountId: item.accountId, connector, items: [item], hurried: true });
}

/**
 * Queues claimed and committed refreshes of one account within `enqueueTimeoutMs`. They continue the active trace.
 * Never rejects: if the queue doesn't accept them, the leases are released for the sweep, or else they expire.
 */
export async function enqueueRefreshes(
  ctx: CoreContext,
  { accountId, connector, items, hurried }: ClaimedRefreshes,
): Promise<void> {
  if (ctx.producer === null || items.length === 0) return;
  try {
    const enqueued = ctx.producer.enqueue(connector, items, { linkOnly: false, hurried });
    await withDeadline(enqueued, ctx.settings.enqueueTimeoutMs, 'The queue did not respond in time.');
  } catch (error) {
    const shipmentIds = items.map((item) => item.shipmentId);
    ctx.log.warn({ err: error, shipmentIds, connector }, 'refreshes not queued; the sweep will queue them');
    // Not awaited: the client has waited long enough.
    withAccount(ctx.store, accountId, (tx) => releaseFirstClaims(tx, accountId, items)).catch(
      (releaseError: unknown) => {
        ctx.log.warn({ err: releaseError, shipmentIds }, 'leases not released; they will expire');
      },
    );
  }
}
