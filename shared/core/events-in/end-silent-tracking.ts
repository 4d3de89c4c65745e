import { pushedTracking } from '#shared/domain/events-in/pushed-tracking.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { type EndingShipment, endTracking, lockEnding } from '#shared/store/events-in/pushed-endings.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { newChange } from '../feed/visible-change.ts';

/** Shipments per transaction, which locks their rows. */
export const endingBatchSize = 100;

/**
 * Ends tracking of shipments with pushed events: some time after the journey, or after 60 days without events. Handles
 * up to `endingBatchSize` shipments and returns how many there were. Any number of processes may call it at the same
 * time.
 */
export async function endSilentTracking(ctx: CoreContext): Promise<number> {
  const traceparent = ctx.traceparent();
  return withSystem(ctx.store, async (tx) => {
    const due = await lockEnding(tx, endingBatchSize);
    const before = new Map(due.map(({ shipment }) => [shipment.id, shipment]));
    const ended = await endTracking(tx, due.map(endingOf));
    for (const [accountId, own] of Map.groupBy(ended, (shipment) => shipment.accountId)) {
      await appendChanges(
        tx,
        accountId,
        own.flatMap((shipment) => {
          const former = before.get(shipment.id);
          return former === undefined ? [] : [changeOf(former, shipment, traceparent)];
        }),
      );
    }
    return due.length;
  });
}

function endingOf({ shipment, trackingSince, now }: EndingShipment) {
  const { state, reason, lastChangedAt, staleAfterHours } = shipment.tracking;
  const nowMs = Date.parse(now);
  const trackingSinceMs = Date.parse(trackingSince);
  const after = pushedTracking(
    {
      mode: shipment.transportMode,
      state,
      reason,
      journey: shipment.journey,
      changed: false,
      trackingSinceMs,
      resumedAtMs: trackingSince === shipment.createdAt ? null : trackingSinceMs,
      lastChangedAtMs: lastChangedAt === null ? null : Date.parse(lastChangedAt),
      staleAfterHours: staleAfterHours ?? 0,
    },
    nowMs,
  );
  return {
    accountId: shipment.accountId,
    shipmentId: shipment.id,
    state: after.state,
    reason: after.reason,
    endsInS: after.endsAtMs === null ? null : Math.max(1, (after.endsAtMs - nowMs) / 1000),
  };
}

function changeOf(before: Shipment, shipment: Shipment, traceparent: string | null) {
  const [was, is] = [before.tracking, shipment.tracking];
  return newChange(
    {
      type: 'shipment.tracking_state_changed',
      changes: { trackingState: [was.state, is.state], trackingReason: [was.reason, is.reason] },
    },
    { shipmentId: shipment.id, test: shipment.test, snapshot: shipmentSnapshot(shipment), traceparent },
  );
}
