import type { Caller } from '#shared/domain/caller.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { isTrackingEnded } from '#shared/domain/refresh/cadence.ts';
import { touchShipments } from '#shared/store/shipments/client-fields.ts';
import { stopPolling } from '#shared/store/tracking/polling.ts';
import type { CoreContext } from '../core-context.ts';
import { findVisibleChanges } from '../tracking/publish-journeys.ts';
import { noEffect, refuseArchived, runVerb, type VerbEffect, type VerbSubject } from './run-verb.ts';

/**
 * Stops polling the carrier; the result of a running refresh is discarded. Tracking that has ended keeps its reason.
 * Throws LandfallError `shipment_not_found`, `invalid_state` (archived).
 */
export function stopShipment(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<Shipment> {
  return runVerb(ctx, caller, shipmentId, stopTracking);
}

/** The verb that stops polling. */
export async function stopTracking(subject: VerbSubject): Promise<VerbEffect> {
  const { tx, caller, shipment, polling } = subject;
  refuseArchived(subject);
  if (isTrackingEnded(polling.state)) return noEffect;
  await stopPolling(tx, caller.accountId, shipment.id, 'stopped_by_client');
  await touchShipments(tx, caller.accountId, [shipment.id]);
  const { journey } = shipment;
  const after = { journey, tracking: { state: 'stopped', reason: 'stopped_by_client' } } as const;
  return { visible: findVisibleChanges({ journey, tracking: polling }, after), refresh: null };
}
