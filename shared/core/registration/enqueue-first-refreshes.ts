import type { CoreContext } from '../core-context.ts';
import { enqueueRefreshes } from '../tracking/enqueue-refresh.ts';

export type FirstRefresh = { shipmentId: string; connector: string };

/** Puts the first refreshes of committed registrations on the queue, at the same time. Never rejects: what the queue refuses, the sweep takes. */
export async function enqueueFirstRefreshes(
  ctx: CoreContext,
  accountId: string,
  refreshes: readonly FirstRefresh[],
): Promise<void> {
  const byConnector = Map.groupBy(refreshes, (refresh) => refresh.connector);
  await Promise.all(
    [...byConnector].map(([connector, some]) =>
      enqueueRefreshes(ctx, {
        accountId,
        connector,
        items: some.map(({ shipmentId }) => ({ accountId, shipmentId, epoch: 1 })),
      }),
    ),
  );
}
