import type { Caller } from '#shared/domain/caller.ts';
import { readEndpointSecrets, rotateSecret } from '#shared/store/webhooks/endpoints.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { auditEndpoint } from './create-endpoint.ts';
import { newWebhookSecret } from './endpoint-secrets.ts';
import { noSuchEndpoint, type ShownEndpoint, showEndpoint } from './read-endpoints.ts';

/**
 * Replaces the signing secret. The old one also signs for `overlapHours`; an older one that still did ends. Throws
 * LandfallError `webhook_endpoint_not_found`, or `invalid_state` when the installation cannot store secrets.
 */
export async function rotateWebhookSecret(
  ctx: CoreContext,
  caller: Caller,
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<ShownEndpoint & { secret: string }> {
  const { accountId, test } = caller;
  const { secret, stored } = await newWebhookSecret(ctx, { accountId, id });
  return withAccount(ctx.store, accountId, async (tx) => {
    if ((await readEndpointSecrets(tx, accountId, { id, test }, { lock: true })) === null) throw noSuchEndpoint();
    await rotateSecret(tx, accountId, { id, secret: stored, overlapHours });
    await auditEndpoint(tx, caller, { action: 'secret_rotated', id, detail: { overlapHours } });
    return { ...(await showEndpoint(tx, caller, id)), secret };
  });
}
