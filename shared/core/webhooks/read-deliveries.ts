import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Change } from '#shared/domain/feed/change.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { WebhookDelivery, WebhookDeliveryRecord } from '#shared/domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { ComposedWebhook } from '#shared/domain/webhooks/send-webhook.ts';
import { readFeed } from '#shared/store/feed/feed.ts';
import {
  type DeliveryPage,
  type DeliveryQuery,
  listDeliveries,
  readDelivery,
} from '#shared/store/webhooks/deliveries.ts';
import type { EndpointSecrets } from '#shared/store/webhooks/endpoint-row.ts';
import { readEndpoint, readEndpointSecrets } from '#shared/store/webhooks/endpoints.ts';
import { type Tx, withAccount, withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { SecretUnreadable } from '../secrets/seal-secret.ts';
import { openTarget } from './endpoint-secrets.ts';
import { noSuchEndpoint } from './read-endpoints.ts';
import { readRecordOfChange } from './record-of-change.ts';
import { webhookSendingOf } from './webhook-sending.ts';

/** Deliveries of an endpoint, newest first. Throws LandfallError `webhook_endpoint_not_found`. */
export async function listWebhookDeliveries(
  ctx: CoreContext,
  { accountId, test }: Caller,
  query: DeliveryQuery,
): Promise<DeliveryPage> {
  return withAccountReads(ctx.store, accountId, async (tx) => {
    if ((await readEndpoint(tx, accountId, { id: query.endpointId, test })) === null) throw noSuchEndpoint();
    return listDeliveries(tx, accountId, query);
  });
}

export type DeliveryKey = { endpointId: string; id: string };

/** `request`: what is sent, with the endpoint's present settings. Null: the feed no longer has the change. */
export type ShownDelivery = WebhookDeliveryRecord & { request: (ComposedWebhook & { url: string }) | null };

const hiddenValue = '***';

/**
 * A delivery with every try, and its request composed again. Values of custom headers are hidden. Throws LandfallError
 * `webhook_endpoint_not_found` or `webhook_delivery_not_found`.
 */
export async function getWebhookDelivery(ctx: CoreContext, caller: Caller, key: DeliveryKey): Promise<ShownDelivery> {
  const { accountId, test } = caller;
  const { found, delivery, body } = await withAccount(ctx.store, accountId, async (tx) => {
    const found = await readEndpointSecrets(tx, accountId, { id: key.endpointId, test }, { lock: false });
    if (found === null) throw noSuchEndpoint();
    const delivery = await readDelivery(tx, accountId, key);
    if (delivery === null) throw noSuchDelivery();
    return { found, delivery, body: await readBody(ctx, tx, { accountId, endpoint: found.endpoint, delivery }) };
  });
  const request = body === null ? null : await composeAgain(ctx, accountId, { ...found, delivery, body });
  return { ...delivery, request };
}

async function readBody(
  ctx: CoreContext,
  tx: Tx,
  { accountId, endpoint, delivery }: { accountId: string; endpoint: WebhookEndpoint; delivery: WebhookDelivery },
): Promise<string | null> {
  const change = await readChange(tx, accountId, { delivery, test: endpoint.test });
  if (change === null) return null;
  const { bodyOf } = webhookSendingOf(ctx);
  if (endpoint.payload !== 'full' || change.type === 'webhook.disabled') return bodyOf(change, endpoint.payload, null);
  const record = await readRecordOfChange(ctx, tx, { accountId, change, test: endpoint.test });
  return record === null ? null : bodyOf(change, endpoint.payload, record);
}

/** The change of a delivery. Null: it was removed, or the delivery is a test. */
async function readChange(
  tx: Tx,
  accountId: string,
  { delivery, test }: { delivery: WebhookDelivery; test: boolean },
): Promise<Change | null> {
  if (delivery.sequence === null) return null;
  const query = { test, after: 0, types: null, shipmentId: null, eventKeys: null, limit: 1 };
  const { changes } = await readFeed(tx, accountId, { ...query, sequences: [delivery.sequence] });
  const [change] = changes;
  return change?.id === delivery.changeId ? change : null;
}

async function composeAgain(
  ctx: CoreContext,
  accountId: string,
  given: { endpoint: WebhookEndpoint; secrets: EndpointSecrets; delivery: WebhookDelivery; body: string },
): Promise<ShownDelivery['request']> {
  const { endpoint, secrets, delivery, body } = given;
  const { compose } = webhookSendingOf(ctx);
  try {
    const target = await openTarget(ctx, accountId, endpoint, secrets);
    const nowMs = delivery.triedAt === null ? ctx.now().getTime() : Date.parse(delivery.triedAt);
    const message = { id: encodeTypeId('chg', delivery.changeId), body };
    const headers = Object.fromEntries(Object.keys(target.headers).map((name) => [name, hiddenValue]));
    return { url: endpoint.url, ...compose({ ...target, headers }, message, { nowMs, traceparent: null }) };
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    ctx.log.error({ err: error, endpointId: endpoint.id }, 'webhook secret cannot be decrypted');
    return null;
  }
}

export function noSuchDelivery(): LandfallError {
  return new LandfallError('webhook_delivery_not_found', 'Delivery not found.');
}
