import type { RefreshClaim } from '#shared/domain/tracking/refresh.ts';
import { claimDue, type DueClaim, postponeClaims, releaseClaims } from '#shared/store/system/claim-due.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import type { Postponed } from './postpone-refreshes.ts';

/** What becomes of claims: batches of items that one call to the carrier can carry each, and what the budgets do not carry now. */
export type SweepPlan = { batches: { items: RefreshClaim[]; perJob: number }[]; postponed: Postponed[] };

export type SweepInput = {
  connectors: readonly string[];
  /** At most this many claims in one sweep of one connector. */
  limit: number;
  /** Accounts that are left out for now. */
  exceptAccounts?: readonly string[];
  /** Default: a job for each claim. */
  plan?: (connector: string, claims: DueClaim[]) => Promise<SweepPlan>;
};

/**
 * Claims what is due and puts it on the queue; gives the number of claims. When the queue does not take them, the claims are given back and the error
 * is thrown on: the caller waits before it sweeps again.
 */
export async function sweepDue(ctx: CoreContext, input: SweepInput): Promise<number> {
  if (ctx.producer === null) return 0;
  let claimed = 0;
  const { limit, exceptAccounts = [] } = input;
  for (const connector of input.connectors) {
    const claims = await withSystem(ctx.store, (tx) =>
      claimDue(tx, connector, { limit, leaseS: ctx.settings.leaseS, exceptAccounts }),
    );
    if (claims.length === 0) continue;
    try {
      const { batches, postponed } = (await input.plan?.(connector, claims)) ?? singles(claims);
      const waiting = postponed.map(({ claim, waitMs }) => ({ ...claim, waitMs }));
      if (waiting.length > 0) await withSystem(ctx.store, (tx) => postponeClaims(tx, waiting));
      for (const { items, perJob } of batches) await ctx.producer.enqueue(connector, items, { linkOnly: true, perJob });
    } catch (error) {
      // Also what was queued already: its jobs find their lease gone, or look once more often.
      await withSystem(ctx.store, (tx) => releaseClaims(tx, claims));
      throw error;
    }
    claimed += claims.length;
  }
  return claimed;
}

function singles(claims: DueClaim[]): SweepPlan {
  return {
    batches: [
      { items: claims.map(({ accountId, shipmentId, epoch }) => ({ accountId, shipmentId, epoch })), perJob: 1 },
    ],
    postponed: [],
  };
}
