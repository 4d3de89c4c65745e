import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { newSubscriptionSecret } from '#shared/core/carrier-subscriptions/subscription-secret.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { subscriptionName } from '#shared/domain/carrier-subscriptions/subscription-address.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import { insertSubscription } from '#shared/store/system/carrier-subscriptions.ts';
import { withSystem } from '#shared/store/with-account.ts';

export type TestSubscription = {
  id: string;
  accountId: string;
  connector: string;
  path: string;
  name: string;
  secret: string;
};

/** Stores a subscription of this account without calling the carrier. */
export async function addSubscription(
  ctx: CoreContext,
  accountId: string,
  changes: { connector?: string; carrier?: string; allCarriers?: boolean; credentialId?: string } = {},
): Promise<TestSubscription> {
  const {
    connector = 'dcsa',
    carrier = 'PCIU',
    allCarriers = true,
    credentialId = `simulator:${randomUUID()}`,
  } = changes;
  const id = uuidv7(Date.now(), randomBytes(10));
  const token = randomBytes(16).toString('hex');
  const { secret, stored } = await newSubscriptionSecret(ctx, { accountId, id });
  const name = subscriptionName({ id, token });
  const callbackUrl = `http://landfall.test/hooks/${connector}/${name}`;
  const subscription = { accountId, connector, carrier, allCarriers, credentialId, id, token, callbackUrl, ...stored };
  await withSystem(ctx.store, (tx) => insertSubscription(tx, subscription));
  return { id, accountId, connector, path: `/hooks/${connector}/${name}`, name, secret };
}

/** The `Notification-Signature` that a carrier would send. */
export function signed(secret: string, body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', Buffer.from(secret, 'base64')).update(body).digest('hex')}`;
}
