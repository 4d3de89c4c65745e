import { composeFrom } from '#shared/domain/journey/journey.ts';
import { makeFreeTimeDue } from '#shared/store/free-time/free-time-at.ts';
import { touchShipments, voidClientCancellation } from '#shared/store/shipments/client-fields.ts';
import { readEvents } from '#shared/store/tracking/events.ts';
import { traceIdOf } from '../core-context.ts';
import { readFreeTimeRules } from '../free-time/free-time-rules.ts';
import { findVisibleChanges, writeJourneys } from '../tracking/publish-journeys.ts';
import { claimRefresh, restartedTracking, type VerbEffect, type VerbSubject } from './run-verb.ts';

/** Puts tracking that has ended back to `queued`, with all its periods, and reverts the client's own cancellation. */
export async function restartTracking(subject: VerbSubject): Promise<VerbEffect> {
  const { tx, ctx, caller, shipment, polling } = subject;
  let journey = shipment.journey;
  if (await voidClientCancellation(tx, caller.accountId, shipment.id)) {
    const events = await readEvents(tx, caller.accountId, shipment.id);
    const rules = await readFreeTimeRules(ctx, tx, caller.accountId);
    const composed = composeFrom(events, shipment, { nowMs: Date.parse(polling.now), rules: rules(shipment) });
    journey = composed.journey;
    await writeJourneys(tx, caller.accountId, [
      {
        shipment,
        ...composed,
        context: { events, addedIds: [] },
        traceId: traceIdOf(ctx),
        journeyText: ctx.journeyText?.(journey) ?? null,
      },
    ]);
  } else {
    await touchShipments(tx, caller.accountId, [shipment.id]);
    await makeFreeTimeDue(tx, caller.accountId, shipment.id);
  }
  const refresh = await claimRefresh(subject, 'restart');
  const after = { journey, tracking: restartedTracking(polling.connector) };
  return { visible: findVisibleChanges({ journey: shipment.journey, tracking: polling }, after), refresh };
}
