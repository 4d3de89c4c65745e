import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { WebhookDelivery } from '#shared/domain/webhooks/delivery.ts';
import { parkDelivery, readDelivery } from '#shared/store/webhooks/deliveries.ts';
import { readEndpoint } from '#shared/store/webhooks/endpoints.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { auditEndpoint } from './create-endpoint.ts';
import { type DeliveryKey, noSuchDelivery } from './read-deliveries.ts';
import { noSuchEndpoint } from './read-endpoints.ts';

/**
 * Makes a delivery due at once, whatever its outcome was. Throws LandfallError `webhook_endpoint_not_found`,
 * `webhook_delivery_not_found`, or `invalid_state` for a test or while the endpoint is disabled.
 */
export async function resendWebhookDelivery(
  ctx: CoreContext,
  caller: Caller,
  key: DeliveryKey,
): Promise<WebhookDelivery> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const endpoint = await readEndpoint(tx, accountId, { id: key.endpointId, test });
    if (endpoint === null) throw noSuchEndpoint();
    refuseDisabled(endpoint);
    const delivery = await readDelivery(tx, accountId, key);
    if (delivery === null) throw noSuchDelivery();
    if (!(await parkDelivery(tx, accountId, key)))
      throw new LandfallError('invalid_state', 'A test cannot be sent again. Send another test.');
    const detail = { delivery: encodeTypeId('dlv', key.id) };
    await auditEndpoint(tx, caller, { action: 'delivery_resent', id: key.endpointId, detail });
    return (await readDelivery(tx, accountId, key)) ?? delivery;
  });
}

/** Throws LandfallError `invalid_state`. */
export function refuseDisabled({ enabled }: { enabled: boolean }): void {
  if (enabled) return;
  throw new LandfallError('invalid_state', 'The endpoint is disabled. Enable it first.');
}
