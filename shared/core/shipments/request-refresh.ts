import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { isTrackingEnded } from '#shared/domain/tracking/cadence.ts';
import type { CoreContext } from '../core-context.ts';
import { claimRefresh, refuseArchived, runVerb } from './run-verb.ts';

/**
 * Has the carrier asked now instead of when it was planned; a refresh that is under way is refused in favour of the new one. Throws
 * LandfallError `shipment_not_found`, `invalid_state` (archived, or tracking has ended) or `refresh_too_soon`.
 */
export function requestRefresh(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<Shipment> {
  return runVerb(ctx, caller, shipmentId, async (subject) => {
    const { state, requestedAgoS } = subject.polling;
    refuseArchived(subject);
    if (isTrackingEnded(state))
      throw new LandfallError('invalid_state', `Tracking is ${state}; resume the shipment instead.`);
    const { refreshIntervalS } = ctx.settings;
    if (requestedAgoS !== null && requestedAgoS < refreshIntervalS) {
      const retryAfterS = Math.min(Math.ceil(refreshIntervalS - requestedAgoS), refreshIntervalS);
      throw new LandfallError(
        'refresh_too_soon',
        `The shipment was refreshed a moment ago; ask again in ${retryAfterS} s.`,
        {
          retryAfterS,
        },
      );
    }
    return { visible: [], refresh: await claimRefresh(subject, 'refresh') };
  });
}
