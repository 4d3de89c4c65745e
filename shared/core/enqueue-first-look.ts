import type { CoreContext } from './core-context.ts';
import { enqueueLooks } from './enqueue-look.ts';

export type FirstLook = { shipmentId: string; connector: string };

/** Puts the first looks of committed registrations on the queue, at the same time. Never rejects: what the queue refuses, the sweep takes. */
export async function enqueueFirstLooks(
  ctx: CoreContext,
  accountId: string,
  looks: readonly FirstLook[],
): Promise<void> {
  const byConnector = Map.groupBy(looks, (look) => look.connector);
  await Promise.all(
    [...byConnector].map(([connector, some]) =>
      enqueueLooks(ctx, {
        accountId,
        connector,
        items: some.map(({ shipmentId }) => ({ accountId, shipmentId, epoch: 1 })),
      }),
    ),
  );
}
