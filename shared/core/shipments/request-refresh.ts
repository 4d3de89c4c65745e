import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { pushedConnector } from '#shared/domain/events-in/pushed-tracking.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { isTrackingEnded } from '#shared/domain/refresh/cadence.ts';
import { keepTrace } from '#shared/telemetry/events.ts';
import type { CoreContext } from '../core-context.ts';
import { claimRefresh, refuseArchived, runVerb, type VerbEffect, type VerbSubject } from './run-verb.ts';

/**
 * Refreshes a shipment now instead of on schedule; a refresh that is running is superseded. Throws LandfallError
 * `shipment_not_found`, `invalid_state` (archived, or tracking has ended) or `refresh_too_soon`.
 */
export function requestRefresh(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<Shipment> {
  keepTrace('requested');
  return runVerb(ctx, caller, shipmentId, refreshNow);
}

/** The verb that requests a refresh. */
export async function refreshNow(subject: VerbSubject): Promise<VerbEffect> {
  const { state, requestedAgoS } = subject.polling;
  refuseArchived(subject);
  if (isTrackingEnded(state))
    throw new LandfallError('invalid_state', `Tracking is ${state}. Resume the shipment instead.`);
  if (subject.polling.connector === pushedConnector) {
    const detail =
      'Events of this shipment are pushed, so it can’t be refreshed. Send events to POST /v1/shipments/{shipment_id}/events.';
    throw new LandfallError('invalid_state', detail);
  }
  const { refreshIntervalS } = subject.ctx.settings;
  if (requestedAgoS !== null && requestedAgoS < refreshIntervalS) {
    const retryAfterS = Math.min(Math.ceil(refreshIntervalS - requestedAgoS), refreshIntervalS);
    throw new LandfallError('refresh_too_soon', `Refresh limit reached. Retry in ${retryAfterS} s.`, {
      retryAfterS,
    });
  }
  return { visible: [], refresh: await claimRefresh(subject, 'refresh') };
}
