import { claimDue, releaseClaims } from '#shared/store/system/claim-due.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';

export type SweepInput = {
  connectors: readonly string[];
  /** At most this many claims in one sweep of one connector. */
  limit: number;
};

/**
 * Claims what is due and puts it on the queue; gives the number of claims. When the queue does not take them, the claims are given back and the error
 * is thrown on: the caller waits before it sweeps again.
 */
export async function sweepDue(ctx: CoreContext, input: SweepInput): Promise<number> {
  if (ctx.producer === null) return 0;
  let claimed = 0;
  for (const connector of input.connectors) {
    const claims = await withSystem(ctx.store, (tx) => claimDue(tx, connector, { limit: input.limit, leaseS: ctx.settings.leaseS }));
    if (claims.length === 0) continue;
    try {
      await ctx.producer.enqueue(connector, claims, { linkOnly: true });
    } catch (error) {
      await withSystem(ctx.store, (tx) => releaseClaims(tx, claims));
      throw error;
    }
    claimed += claims.length;
  }
  return claimed;
}
