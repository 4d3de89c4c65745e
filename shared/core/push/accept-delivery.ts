import { LandfallError } from '#shared/domain/errors.ts';
import { readSignature } from '#shared/domain/push/push.ts';
import { readSubscriptionName } from '#shared/domain/push/subscription-address.ts';
import { insertDelivery, noteDelivery } from '#shared/store/push/push-deliveries.ts';
import type { PushSubscription } from '#shared/store/push/push-subscription-row.ts';
import { findSubscription } from '#shared/store/system/push-subscriptions.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { openSecret, SecretUnreadable } from '../carriers/seal-secret.ts';
import type { CoreContext } from '../core-context.ts';
import { pushSecretOwner } from './push-secret.ts';

export type Delivery = {
  connector: string;
  /** The last part of the callback's address. */
  subscription: string;
  /** `Notification-Signature`, as it came. */
  signature: string | undefined;
  body: Uint8Array<ArrayBuffer>;
};

/**
 * Keeps a carrier's delivery once its signature is right; what it says is read later. False when the same body is there already. Throws
 * LandfallError `invalid_signature`, the same for an unknown subscription, and `unavailable` when it could not be kept: then it must be sent again.
 */
export async function acceptDelivery(ctx: CoreContext, delivery: Delivery): Promise<boolean> {
  const named = readSubscriptionName(delivery.subscription);
  const found = named === null ? null : await withSystem(ctx.store, (tx) => findSubscription(tx, named.id));
  const subscription = found !== null && isAddressOf(found, delivery, named?.token ?? '') ? found : null;
  const secrets =
    subscription === null ? [btoa('an unknown subscription takes as long')] : await openSecrets(ctx, subscription);
  const signature = readSignature(delivery.signature);
  // One after the other and all of them: how long it takes must not tell which one fits.
  let isRight = false;
  for (const secret of secrets) isRight = (await isSignedWith(secret, signature, delivery.body)) || isRight;
  if (subscription === null || !isRight) {
    throw new LandfallError(
      'invalid_signature',
      'There is no subscription at this address, or the Notification-Signature does not fit the body',
    );
  }
  const { accountId, id: subscriptionId } = subscription;
  return withAccount(ctx.store, accountId, async (tx) => {
    await noteDelivery(tx, accountId, subscriptionId);
    return insertDelivery(tx, accountId, { subscriptionId, body: delivery.body });
  });
}

function isAddressOf(found: PushSubscription, delivery: Delivery, token: string): boolean {
  let difference = found.token.length ^ token.length;
  for (let index = 0; index < found.token.length; index += 1)
    difference |= found.token.charCodeAt(index) ^ token.charCodeAt(index);
  return difference === 0 && found.connector === delivery.connector;
}

async function openSecrets(ctx: CoreContext, subscription: PushSubscription): Promise<string[]> {
  const owner = pushSecretOwner(subscription);
  const stored = subscription.previous === null ? [subscription.secret] : [subscription.secret, subscription.previous];
  try {
    return await Promise.all(stored.map((secret) => openSecret(ctx, owner, secret)));
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    // Our fault, not the carrier's: it is to send again when the key is back.
    throw new LandfallError('unavailable', 'The signature cannot be checked for the moment.', {
      retryAfterS: 60,
      cause: error,
    });
  }
}

/** The key of the HMAC is what the base64 text stands for (DCSA Track & Trace 2.2). WebCrypto compares in constant time. */
async function isSignedWith(
  secret: string,
  signature: Uint8Array<ArrayBuffer> | null,
  body: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const bytes = Uint8Array.from(atob(secret), (character) => character.charCodeAt(0));
  const key = await globalThis.crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  const isRight = await globalThis.crypto.subtle.verify('HMAC', key, signature ?? new Uint8Array(32), body);
  return isRight && signature !== null;
}
