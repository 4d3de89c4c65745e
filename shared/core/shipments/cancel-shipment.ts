import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { clientCancellation } from '#shared/domain/journey/client-cancellation.ts';
import { composeFrom } from '#shared/domain/journey/journey.ts';
import type { Journey, RecordEvent, Shipment } from '#shared/domain/record/shipment.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import { touchShipments } from '#shared/store/shipments/client-fields.ts';
import { insertEvents, readEvents } from '#shared/store/tracking/events.ts';
import { stopPolling } from '#shared/store/tracking/polling.ts';
import { type CoreContext, traceIdOf } from '../core-context.ts';
import { readFreeTimeRules } from '../free-time/free-time-rules.ts';
import { findVisibleChanges, writeJourneys } from '../tracking/publish-journeys.ts';
import { noEffect, refuseArchived, runVerb, type VerbSubject } from './run-verb.ts';

/**
 * Records that the client has cancelled the booking or label, and stops tracking; resuming reverts both. Throws
 * LandfallError `shipment_not_found`, or `invalid_state` when the shipment is archived or cargo has been delivered or
 * returned.
 */
export function cancelShipment(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<Shipment> {
  return runVerb(ctx, caller, shipmentId, async (subject) => {
    const { tx, shipment, polling } = subject;
    refuseArchived(subject);
    const isCancelled = shipment.journey.status === 'cancelled';
    if (isCancelled && polling.state === 'stopped') return noEffect;
    const { journey, added } = isCancelled
      ? { journey: shipment.journey, added: [] }
      : await writeCancellation(subject);
    if (isCancelled) await touchShipments(tx, caller.accountId, [shipmentId]);
    await stopPolling(tx, caller.accountId, shipmentId, 'booking_cancelled');
    const after = { journey, added, tracking: { state: 'stopped', reason: 'booking_cancelled' } } as const;
    return { visible: findVisibleChanges({ journey: shipment.journey, tracking: polling }, after), refresh: null };
  });
}

async function writeCancellation(subject: VerbSubject): Promise<{ journey: Journey; added: RecordEvent[] }> {
  const { tx, ctx, caller, shipment, polling } = subject;
  const { accountId } = caller;
  // A delivery read in the wrong time zone lies hours ahead, and a cancellation recorded now would precede it.
  if (isDeliveredOrReturned(shipment.journey)) throw notCancellable(shipment.journey);
  const stored = await readEvents(tx, accountId, shipment.id);
  const id = uuidv7(Date.parse(polling.now), globalThis.crypto.getRandomValues(new Uint8Array(10)));
  const event = clientCancellation(stored, { id, nowIso: polling.now });
  const events = [...stored, event];
  const rules = await readFreeTimeRules(ctx, tx, accountId);
  const composed = composeFrom(events, shipment, { nowMs: Date.parse(polling.now), rules: rules(shipment) });
  if (composed.journey.status !== 'cancelled') throw notCancellable(shipment.journey);
  await insertEvents(tx, accountId, shipment.id, [{ event, raw: null }]);
  const context = { events, addedIds: [id] };
  await writeJourneys(tx, accountId, [
    {
      shipment,
      ...composed,
      context,
      traceId: traceIdOf(ctx),
      journeyText: ctx.journeyText?.(composed.journey) ?? null,
    },
  ]);
  return { journey: composed.journey, added: composed.eventsOf([id]) };
}

function isDeliveredOrReturned({ status, containers }: Journey): boolean {
  return [status, ...containers.map((container) => container.status)].some(
    (one) => one === 'delivered' || one === 'returned',
  );
}

function notCancellable({ status }: Journey): LandfallError {
  const isOver = status === 'delivered' || status === 'returned';
  const why = isOver ? `The shipment is ${status}` : 'Part of the cargo has been delivered or returned';
  return new LandfallError(
    'invalid_state',
    `${why}, so it can no longer be cancelled. Stop it if it should no longer be tracked.`,
  );
}
