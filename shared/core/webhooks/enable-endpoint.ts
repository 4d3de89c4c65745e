import type { Caller } from '#shared/domain/caller.ts';
import { disableEndpoint, enableEndpoint, readEndpointSecrets } from '#shared/store/webhooks/endpoints.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { auditEndpoint } from './create-endpoint.ts';
import { noSuchEndpoint, type ShownEndpoint, showEndpoint } from './read-endpoints.ts';

/**
 * Deliveries continue where they stopped or, with `skipMissed`, with the next change. Idempotent. Throws LandfallError
 * `webhook_endpoint_not_found`.
 */
export async function enableWebhookEndpoint(
  ctx: CoreContext,
  caller: Caller,
  { id, skipMissed }: { id: string; skipMissed: boolean },
): Promise<ShownEndpoint> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const found = await readEndpointSecrets(tx, accountId, { id, test }, { lock: true });
    if (found === null) throw noSuchEndpoint();
    if (!found.endpoint.enabled) {
      await enableEndpoint(tx, accountId, { id, skipMissed });
      await auditEndpoint(tx, caller, { action: 'enabled', id, detail: { skipMissed } });
    }
    return showEndpoint(tx, caller, id);
  });
}

/** Nothing is delivered until it is enabled. Idempotent. Throws LandfallError `webhook_endpoint_not_found`. */
export async function disableWebhookEndpoint(ctx: CoreContext, caller: Caller, id: string): Promise<ShownEndpoint> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    if ((await readEndpointSecrets(tx, accountId, { id, test }, { lock: true })) === null) throw noSuchEndpoint();
    if (await disableEndpoint(tx, accountId, { id, reason: 'requested' }))
      await auditEndpoint(tx, caller, { action: 'disabled', id, detail: { reason: 'requested' } });
    return showEndpoint(tx, caller, id);
  });
}
