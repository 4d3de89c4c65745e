import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import {
  lockUnreleased,
  markReleased,
  readPeopleByName,
  releaseShipments,
} from '#shared/store/auth/account-directory.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import { readShipments } from '#shared/store/tracking/journeys.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { retryLostRaces } from '../retry-lost-races.ts';

/** Shipments per transaction, which locks their rows. */
const batchSize = 100;

/**
 * Takes shipments away from a member who has left, and says so in the feed. Handles up to 100 shipments of one person.
 * Returns false when nobody is left who has left. Any number of processes may call it at the same time.
 */
export function releaseAssignments(ctx: CoreContext): Promise<boolean> {
  const traceparent = ctx.traceparent();
  return retryLostRaces(() =>
    withSystem(ctx.store, async (tx) => {
      const [person] = await lockUnreleased(tx, 1);
      if (person === undefined) return false;
      const { accountId, userId } = person;
      const ids = await releaseShipments(tx, accountId, { userId, limit: batchSize });
      if (ids.length < batchSize) await markReleased(tx, accountId, userId);
      const { name = '' } = (await readPeopleByName(tx, accountId, [userId])).get(userId) ?? {};
      const shipments = await readShipments(tx, accountId, { ids, withEvents: false });
      await appendChanges(
        tx,
        accountId,
        [...shipments.values()].map((shipment) => ({
          type: 'shipment.assignee_changed',
          shipmentId: shipment.id,
          test: shipment.test,
          data: { shipment: shipmentSnapshot(shipment), changes: { assignee: [{ userId, name }, null] } },
          traceparent,
        })),
      );
      return true;
    }),
  );
}
