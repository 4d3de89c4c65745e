import type { CoreContext } from './core-context.ts';
import { enqueueLook } from './enqueue-look.ts';

export type FirstLook = { shipmentId: string; connector: string };

/** Puts the first looks of committed registrations on the queue, at the same time. Never rejects: what the queue refuses, the sweep takes. */
export async function enqueueFirstLooks(ctx: CoreContext, accountId: string, looks: readonly FirstLook[]): Promise<void> {
  await Promise.all(looks.map((look) => enqueueLook(ctx, { accountId, ...look, epoch: 1 })));
}
