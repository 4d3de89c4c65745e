import type { RefreshClaim, RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import { renewLeases } from '#shared/store/system/renew-leases.ts';
import { withSystemByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Starts work on claims: renews their leases. A claim whose epoch has moved on or whose lease ran out is left out: nothing to do. */
export async function beginRefresh(ctx: CoreContext, claims: readonly RefreshClaim[]): Promise<RefreshSubject[]> {
  const renewed = await withSystemByKey(ctx.store, (tx) => renewLeases(tx, claims, ctx.settings.leaseS));
  const nowMs = ctx.now().getTime();
  const requested = new Set(claims.filter((claim) => claim.requested === true).map((claim) => claim.shipmentId));
  return renewed.map(({ claimedAt, ...claim }) => ({
    ...claim,
    requested: requested.has(claim.shipmentId),
    clockOffsetMs: Date.parse(claimedAt) - nowMs,
  }));
}
