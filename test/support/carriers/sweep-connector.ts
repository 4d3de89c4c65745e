import type { CoreContext } from '#shared/core/core-context.ts';
import { sweepDue } from '#shared/core/tracking/refresh-claims.ts';

/** Claims up to `limit` due shipments of a connector and queues a job for each, without any pacing. */
export function sweepConnector(ctx: CoreContext, connector: string, limit: number): Promise<number> {
  return sweepDue(ctx, {
    connector,
    limit,
    exceptAccounts: [],
    plan: async (claims) => ({
      batches: [{ items: claims.map(({ carrier: _, ...claim }) => claim), perJob: 1 }],
      postponed: [],
    }),
  });
}
