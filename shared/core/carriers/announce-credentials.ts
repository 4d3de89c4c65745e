import { announceAddresses } from '#shared/store/carriers/carrier-addresses.ts';
import {
  announceInstanceCredentials,
  type InstanceCredential,
  type InstanceState,
  readInstanceStates,
} from '#shared/store/system/credentials/instance-credentials.ts';
import { insertWake } from '#shared/store/tracking/credential-wakes.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export type { InstanceCredential, InstanceState };

/**
 * Stores which credentials this worker is configured with, and makes shipments that wait for them due. `addresses`: the
 * connectors whose carrier's address is configured.
 */
export async function announceCredentials(
  ctx: CoreContext,
  credentials: readonly InstanceCredential[],
  addresses: readonly string[],
): Promise<void> {
  await withSystem(ctx.store, async (tx) => {
    await announceAddresses(tx, addresses);
    for (const connector of await announceInstanceCredentials(tx, credentials)) {
      await insertWake(tx, { accountId: null, carrier: null, connector });
    }
  });
}

/** The state of each connector's instance credentials, by connector. */
export function instanceStates(ctx: CoreContext): Promise<ReadonlyMap<string, InstanceState>> {
  return withSystem(ctx.store, readInstanceStates);
}
