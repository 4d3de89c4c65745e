import { type AlertClaim, claimAlertCursors, releaseAlertCursors } from '#shared/store/alerts/alert-cursors.ts';
import { withSystem, withSystemByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { alertLeaseS } from './evaluate-feed.ts';

export type { AlertClaim };

/** Claims up to `limit` free feeds that have grown, of these accounts or, with null, of all. */
export function claimAlertFeeds(
  ctx: CoreContext,
  accountIds: readonly string[] | null,
  limit: number,
): Promise<AlertClaim[]> {
  const options = { limit, leaseS: alertLeaseS };
  return accountIds === null
    ? withSystem(ctx.store, (tx) => claimAlertCursors(tx, null, options))
    : withSystemByKey(ctx.store, (tx) => claimAlertCursors(tx, accountIds, options));
}

export async function releaseAlertFeeds(ctx: CoreContext, claims: readonly AlertClaim[]): Promise<void> {
  if (claims.length > 0) await withSystemByKey(ctx.store, (tx) => releaseAlertCursors(tx, claims));
}
