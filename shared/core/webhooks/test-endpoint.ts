import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId, uuidv7 } from '#shared/domain/type-id.ts';
import { testType } from '#shared/domain/webhooks/delivery.ts';
import { isDelivered } from '#shared/domain/webhooks/delivery-error.ts';
import { insertTestDelivery, readDelivery } from '#shared/store/webhooks/deliveries.ts';
import { readEndpointSecrets } from '#shared/store/webhooks/endpoints.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { type CoreContext, traceIdOf } from '../core-context.ts';
import { SecretUnreadable } from '../secrets/seal-secret.ts';
import { openTarget } from './endpoint-secrets.ts';
import { noSuchDelivery, type ShownDelivery } from './read-deliveries.ts';
import { noSuchEndpoint } from './read-endpoints.ts';
import { webhookSendingOf } from './webhook-sending.ts';

/**
 * Sends a `webhook.test` at once, also to a disabled endpoint, and logs it. It is tried once. Throws LandfallError
 * `webhook_endpoint_not_found`, or `invalid_state` when the stored secrets can't be decrypted.
 */
export async function testWebhookEndpoint(ctx: CoreContext, caller: Caller, id: string): Promise<ShownDelivery> {
  const { accountId, test } = caller;
  const { compose, send, testBodyOf } = webhookSendingOf(ctx);
  const found = await withAccount(ctx.store, accountId, (tx) =>
    readEndpointSecrets(tx, accountId, { id, test }, { lock: false }),
  );
  if (found === null) throw noSuchEndpoint();
  const { endpoint, secrets } = found;
  const target = await openTarget(ctx, accountId, endpoint, secrets).catch((error: unknown) => {
    if (!(error instanceof SecretUnreadable)) throw error;
    throw new LandfallError(
      'invalid_state',
      'The stored secrets cannot be decrypted with the keys of this installation. Rotate the secret and set the headers again.',
    );
  });
  const at = ctx.now();
  const changeId = uuidv7(at.getTime(), globalThis.crypto.getRandomValues(new Uint8Array(10)));
  const message = { id: encodeTypeId('chg', changeId), body: testBodyOf(endpoint, at.toISOString()) };
  const traceparent = ctx.traceparent();
  const request = compose(target, message, { nowMs: at.getTime(), traceparent });
  const { status, error, latencyMs, answer } = await send(target, request);
  const state = isDelivered({ status, error }) ? 'delivered' : 'exhausted';
  const outcome = {
    at: at.toISOString(),
    status,
    error,
    latencyMs: Math.round(latencyMs),
    answer,
    traceId: traceIdOf(ctx),
  };
  return withAccount(ctx.store, accountId, async (tx) => {
    const logged = { endpointId: id, changeId, type: testType, state, outcome } as const;
    const deliveryId = await insertTestDelivery(tx, accountId, logged);
    const delivery = await readDelivery(tx, accountId, { endpointId: id, id: deliveryId });
    if (delivery === null) throw noSuchDelivery();
    const shown = Object.keys(target.headers).map((name) => [name.toLowerCase(), '***']);
    const headers = { ...request.headers, ...Object.fromEntries(shown) };
    return { ...delivery, request: { url: endpoint.url, headers, body: request.body } };
  });
}
