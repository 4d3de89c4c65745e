import { isUnavailable } from '#shared/domain/errors.ts';
import { findFormerEvents, type ShipmentPosition } from '#shared/store/system/find-former-rows.ts';
import { moveFormerEvents } from '#shared/store/tracking/former-events.ts';
import { withAccountByKey, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Events looked at per call: about 40 ocean voyages. Their shipments are moved whole, those of an account together. */
const eventsPerCall = 2000;

/**
 * Moves events that an earlier release stored, from the shipment behind `after` on. Returns the last shipment of this
 * call, or null at the end. Any number of processes may call it; a shipment that is locked is left for the next round.
 */
export async function moveNextFormerEvents(
  ctx: CoreContext,
  after: ShipmentPosition | null,
): Promise<ShipmentPosition | null> {
  const found = await withSystem(ctx.store, (tx) => findFormerEvents(tx, after, eventsPerCall));
  for (const [accountId, own] of Map.groupBy(found, (one) => one.accountId)) {
    const ids = own.map(({ shipmentId }) => shipmentId);
    try {
      await withAccountByKey(ctx.store, accountId, (tx) => moveFormerEvents(tx, accountId, ids));
    } catch (error) {
      if (isUnavailable(error)) throw error;
      for (const id of ids) await moveAlone(ctx, accountId, id);
    }
  }
  return found.at(-1) ?? null;
}

/** One shipment that can't be moved must not keep back those behind it. It stays readable where it is. */
async function moveAlone(ctx: CoreContext, accountId: string, shipmentId: string): Promise<void> {
  try {
    await withAccountByKey(ctx.store, accountId, (tx) => moveFormerEvents(tx, accountId, [shipmentId]));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    ctx.log.error({ err: error, shipmentId, accountId }, 'moving the events of an earlier release failed');
  }
}
