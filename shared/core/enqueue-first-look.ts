import { releaseFirstClaim } from '#shared/store/first-claim.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';

export type FirstLook = { accountId: string; shipmentId: string; connector: string };

/**
 * Puts the first look of a committed registration on the queue, waiting `enqueueTimeoutMs` at most. Never rejects: when the queue does not
 * take it, the lease is given back so that the sweep takes the shipment, and if even that fails the lease runs out by itself.
 */
export async function enqueueFirstLook(ctx: CoreContext, look: FirstLook): Promise<void> {
  if (ctx.producer === null) return;
  const { accountId, shipmentId, connector } = look;
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the queue did not answer in time')), ctx.settings.enqueueTimeoutMs);
  try {
    const enqueued = ctx.producer.enqueue(connector, [{ accountId, shipmentId, epoch: 1 }], { linkOnly: false });
    await Promise.race([enqueued, expired]);
  } catch (error) {
    ctx.log.warn({ err: error, shipmentId, connector }, 'the first look was not queued; the sweep takes it');
    // In the background: the client has waited long enough.
    withAccount(ctx.store, accountId, (tx) => releaseFirstClaim(tx, accountId, shipmentId)).catch((releaseError: unknown) => {
      ctx.log.warn({ err: releaseError, shipmentId }, 'the lease was not given back; it runs out by itself');
    });
  } finally {
    clearTimeout(timer);
  }
}
