import type { Caller } from '#shared/domain/caller.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { isTrackingEnded } from '#shared/domain/tracking/cadence.ts';
import { composeFrom } from '#shared/domain/tracking/journey.ts';
import { touchShipment, voidClientCancellation } from '#shared/store/shipments/client-fields.ts';
import { readEvents } from '#shared/store/tracking/events.ts';
import { type CoreContext, traceIdOf } from '../core-context.ts';
import { findVisibleChanges, writeJourneys } from '../tracking/publish-journeys.ts';
import { claimRefresh, noEffect, refuseArchived, runVerb } from './run-verb.ts';

/**
 * Restarts tracking that was stopped, failed or completed, with all its periods, and reverts the client's own
 * cancellation. Active tracking is left alone. Throws LandfallError `shipment_not_found`, `invalid_state` (archived).
 */
export function resumeShipment(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<Shipment> {
  return runVerb(ctx, caller, shipmentId, async (subject) => {
    const { tx, shipment, polling } = subject;
    refuseArchived(subject);
    if (!isTrackingEnded(polling.state)) return noEffect;
    let journey = shipment.journey;
    if (await voidClientCancellation(tx, caller.accountId, shipmentId)) {
      const events = await readEvents(tx, caller.accountId, shipmentId);
      const composed = composeFrom(events, subject.shipment, Date.parse(subject.polling.now));
      journey = composed.journey;
      const context = { events, addedIds: [] };
      await writeJourneys(tx, caller.accountId, [
        {
          shipment,
          ...composed,
          context,
          traceId: traceIdOf(ctx),
          journeyText: ctx.journeyText?.(composed.journey) ?? null,
        },
      ]);
    } else {
      await touchShipment(tx, caller.accountId, shipmentId);
    }
    const refresh = await claimRefresh(subject, 'restart');
    const after = { journey, tracking: { state: 'queued', reason: null } } as const;
    return { visible: findVisibleChanges({ journey: shipment.journey, tracking: polling }, after), refresh };
  });
}
