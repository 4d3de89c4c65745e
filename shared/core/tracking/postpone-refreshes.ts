import type { RefreshClaim } from '#shared/domain/tracking/refresh.ts';
import { postponeClaims } from '#shared/store/system/claim-due.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** A claim whose refresh has to wait, because the budget of calls to the carrier is used up for now. */
export type Postponed = { claim: RefreshClaim; waitMs: number };

/** Gives claims back with the moment from which they are due again. Nothing is recorded of it: nobody was asked. */
export async function postponeRefreshes(ctx: CoreContext, postponed: readonly Postponed[]): Promise<void> {
  if (postponed.length === 0) return;
  const claims = postponed.map(({ claim: { accountId, shipmentId, epoch }, waitMs }) => ({
    accountId,
    shipmentId,
    epoch,
    waitMs,
  }));
  await withSystem(ctx.store, (tx) => postponeClaims(tx, claims));
}
