import type { Caller } from '#shared/domain/caller.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { isTrackingEnded } from '#shared/domain/refresh/cadence.ts';
import type { CoreContext } from '../core-context.ts';
import { restartTracking } from './restart-tracking.ts';
import { noEffect, refuseArchived, runVerb, type VerbEffect, type VerbSubject } from './run-verb.ts';

/**
 * Restarts tracking that was stopped, failed or completed, with all its periods, and reverts the client's own
 * cancellation. Active tracking is left alone. Throws LandfallError `shipment_not_found`, `invalid_state` (archived).
 */
export function resumeShipment(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<Shipment> {
  return runVerb(ctx, caller, shipmentId, resumeTracking);
}

/** The verb that restarts tracking that has ended. */
export async function resumeTracking(subject: VerbSubject): Promise<VerbEffect> {
  refuseArchived(subject);
  return isTrackingEnded(subject.polling.state) ? restartTracking(subject) : noEffect;
}
