import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { type LockedForPush, lockForPush } from '#shared/store/carrier-subscriptions/push-record.ts';
import { unpackLocked } from '#shared/store/settling/unpack-shipments.ts';
import { readEventsOf } from '#shared/store/tracking/events.ts';
import type { Tx } from '#shared/store/with-account.ts';

export type LockedWithEvents = { locked: Map<string, LockedForPush>; events: Map<string, TrackingEvent[]> };

/** Locks shipments of an account, in the order of refreshes, and reads their events. Settled ones are unpacked. */
export async function lockWithEvents(
  tx: Tx,
  accountId: string,
  sought: { ids: readonly string[]; test: boolean },
): Promise<LockedWithEvents> {
  const [locked, events] = await Promise.all([
    lockForPush(tx, accountId, sought),
    readEventsOf(tx, accountId, sought.ids),
  ]);
  // An archived shipment takes no events, so it stays packed.
  const ids = [...locked.values()]
    .filter(({ settled, shipment }) => settled && shipment.archivedAt === null)
    .map(({ shipment }) => shipment.id);
  if (ids.length === 0) return { locked, events };
  await unpackLocked(
    tx,
    accountId,
    ids.map((id) => ({ id, settled: true })),
  );
  return { locked, events: new Map([...events, ...(await readEventsOf(tx, accountId, ids))]) };
}
