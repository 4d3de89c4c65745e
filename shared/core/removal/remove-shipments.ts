import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { type AuditEntry, appendAudit } from '#shared/store/keys/audit.ts';
import { type CopyPlace, firstCopies, forgetCopies, readMentions } from '#shared/store/removal/forget-copies.ts';
import { removeShipments } from '#shared/store/removal/remove-shipments.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { retryLostRaces } from '../retry-lost-races.ts';

/**
 * Removes one shipment for good, with everything about it. The audit log says who did it. Throws LandfallError
 * `shipment_not_found`.
 */
export async function purgeShipment(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<void> {
  const { accountId, test } = caller;
  const shipment = await withAccount(ctx.store, accountId, (tx) =>
    readShipment(tx, accountId, { id: shipmentId, test }),
  );
  if (shipment === null) throw new LandfallError('shipment_not_found', 'Shipment not found.');
  await removeForGood(ctx, {
    accountId,
    shipmentIds: [shipmentId],
    audit: () => ({
      actor: actorOf(caller),
      subjectType: 'shipment',
      subjectId: shipmentId,
      requestId: caller.requestId,
      detail: {},
    }),
  });
}

export type Removal = {
  accountId: string;
  shipmentIds: readonly string[];
  /** Only those that still have been closed for so long when they are removed. Absent: all. */
  closedDays?: number;
  /** Ids alone: the log must not keep what was removed. */
  audit: (removed: string[]) => Omit<AuditEntry, 'action'>;
};

/**
 * Removes shipments with their copies elsewhere, and logs it. The copies go first: a process that dies in between
 * leaves the shipments, and the next call removes them. Returns how many there were.
 */
export async function removeForGood(ctx: CoreContext, removal: Removal): Promise<number> {
  const { accountId, shipmentIds, closedDays } = removal;
  const mentions = await withSystem(ctx.store, (tx) => readMentions(tx, accountId, shipmentIds));
  let place: CopyPlace = mentions.ids.length === 0 ? null : firstCopies;
  while (place !== null) {
    const from = place;
    place = await withSystem(ctx.store, (tx) => forgetCopies(tx, accountId, { mentions, place: from }));
  }
  const removed = await retryLostRaces(() =>
    withSystem(ctx.store, async (tx) => {
      const ids = await removeShipments(tx, accountId, { shipmentIds, closedDays: closedDays ?? null });
      if (ids.length > 0) await appendAudit(tx, accountId, { action: 'shipment.removed', ...removal.audit(ids) });
      return ids;
    }),
  );
  return removed.length;
}

/** For the detail of an audit entry. */
export function publicIds(shipmentIds: readonly string[]): string[] {
  return shipmentIds.map((id) => encodeTypeId('shp', id));
}
