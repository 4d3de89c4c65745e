import type { RefreshItem } from '#shared/queue/jobs.ts';
import { releaseFirstClaims } from '#shared/store/tracking/request-refresh.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** A refresh that was claimed for its asker. `requested`: a client asked for a shipment that was registered before. */
export type ClaimedRefresh = {
  accountId: string;
  shipmentId: string;
  epoch: number;
  connector: string;
  requested?: boolean;
};

/** Puts a claimed and committed look on the queue, as `enqueueRefreshes` does. */
export async function enqueueRefresh(ctx: CoreContext, { connector, ...item }: ClaimedRefresh): Promise<void> {
  await enqueueRefreshes(ctx, { accountId: item.accountId, connector, items: [item] });
}

/**
 * Puts claimed and committed refreshes of one account on a connector's queue, waiting `enqueueTimeoutMs` at most; they continue the active trace.
 * Never rejects: when the queue does not take them, the leases are given back so that the sweep takes the shipments, and if even that fails
 * the leases run out by themselves.
 */
export async function enqueueRefreshes(
  ctx: CoreContext,
  { accountId, connector, items }: { accountId: string; connector: string; items: RefreshItem[] },
): Promise<void> {
  if (ctx.producer === null || items.length === 0) return;
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the queue did not answer in time')), ctx.settings.enqueueTimeoutMs);
  try {
    await Promise.race([ctx.producer.enqueue(connector, items, { linkOnly: false }), expired]);
  } catch (error) {
    const shipmentIds = items.map((item) => item.shipmentId);
    ctx.log.warn({ err: error, shipmentIds, connector }, 'refreshes were not queued; the sweep takes them');
    // In the background: the client has waited long enough.
    withAccount(ctx.store, accountId, (tx) => releaseFirstClaims(tx, accountId, items)).catch(
      (releaseError: unknown) => {
        ctx.log.warn({ err: releaseError, shipmentIds }, 'leases were not given back; they run out by themselves');
      },
    );
  } finally {
    clearTimeout(timer);
  }
}
