import { releaseClaim } from '#shared/store/first-claim.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';

/** A look that was claimed for its asker. `requested`: a client asked for a shipment that was registered before. */
export type ClaimedLook = { accountId: string; shipmentId: string; epoch: number; connector: string; requested?: boolean };

/**
 * Puts a claimed and committed look on the queue, waiting `enqueueTimeoutMs` at most; it continues the active trace. Never rejects: when the
 * queue does not take it, the lease is given back so that the sweep takes the shipment, and if even that fails the lease runs out by itself.
 */
export async function enqueueLook(ctx: CoreContext, look: ClaimedLook): Promise<void> {
  if (ctx.producer === null) return;
  const { connector, ...item } = look;
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the queue did not answer in time')), ctx.settings.enqueueTimeoutMs);
  try {
    await Promise.race([ctx.producer.enqueue(connector, [item], { linkOnly: false }), expired]);
  } catch (error) {
    const { accountId, shipmentId } = look;
    ctx.log.warn({ err: error, shipmentId, connector }, 'a look was not queued; the sweep takes it');
    // In the background: the client has waited long enough.
    withAccount(ctx.store, accountId, (tx) => releaseClaim(tx, accountId, look)).catch((releaseError: unknown) => {
      ctx.log.warn({ err: releaseError, shipmentId }, 'the lease was not given back; it runs out by itself');
    });
  } finally {
    clearTimeout(timer);
  }
}
