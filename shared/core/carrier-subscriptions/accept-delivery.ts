import { batch } from '#shared/async/batch.ts';
import { readSignature } from '#shared/domain/carrier-subscriptions/carrier-subscription.ts';
import { readSubscriptionName } from '#shared/domain/carrier-subscriptions/subscription-address.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { insertDelivery, noteDelivery } from '#shared/store/carrier-subscriptions/carrier-deliveries.ts';
import type { PushSubscription } from '#shared/store/carrier-subscriptions/carrier-subscription-row.ts';
import type { Store } from '#shared/store/open-store.ts';
import { findSubscriptions } from '#shared/store/system/carrier-subscriptions.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { openSecret, SecretUnreadable } from '../secrets/seal-secret.ts';
import { subscriptionSecretOwner } from './subscription-secret.ts';

export type Delivery = {
  connector: string;
  /** Last segment of the callback URL. */
  subscription: string;
  /** The `Notification-Signature` header. */
  signature: string | undefined;
  body: Uint8Array<ArrayBuffer>;
};

/**
 * Stores a carrier's delivery if its signature is valid; it is processed later. Returns false if the same body is
 * already stored. Throws LandfallError `invalid_signature`, also for an unknown subscription, and `unavailable` if the
 * delivery could not be stored and the carrier must send it again.
 */
export async function acceptDelivery(ctx: CoreContext, delivery: Delivery): Promise<boolean> {
  const named = readSubscriptionName(delivery.subscription);
  const found = named === null ? null : await finderOf(ctx.store)(named.id);
  const subscription = found !== null && isAddressOf(found, delivery, named?.token ?? '') ? found : null;
  const secrets =
    subscription === null
      ? [btoa('keeps the timing of an unknown subscription')]
      : await openSecrets(ctx, subscription);
  const signature = readSignature(delivery.signature);
  // All secrets in sequence: the duration must not reveal which one matches.
  let isRight = false;
  for (const secret of secrets) isRight = (await isSignedWith(secret, signature, delivery.body)) || isRight;
  if (subscription === null || !isRight) {
    throw new LandfallError(
      'invalid_signature',
      'Unknown subscription, or the Notification-Signature does not match the body.',
    );
  }
  const { accountId, id: subscriptionId } = subscription;
  return withAccount(ctx.store, accountId, async (tx) => {
    await noteDelivery(tx, accountId, subscriptionId);
    return insertDelivery(tx, accountId, { subscriptionId, body: delivery.body });
  });
}

type Finder = (id: string) => Promise<PushSubscription | null>;
const finders = new WeakMap<Store, Finder>();

/** A stream of unknown subscriptions keeps one connection busy, and nobody waits for more than one statement. */
function finderOf(store: Store): Finder {
  const known = finders.get(store);
  if (known !== undefined) return known;
  const find = batch<string, PushSubscription | null>({
    maxSize: 200,
    maxRunning: 1,
    run: (ids) => withSystem(store, (tx) => findSubscriptions(tx, ids)),
  });
  finders.set(store, find);
  return find;
}

function isAddressOf(found: PushSubscription, delivery: Delivery, token: string): boolean {
  let difference = found.token.length ^ token.length;
  for (let index = 0; index < found.token.length; index += 1)
    difference |= found.token.charCodeAt(index) ^ token.charCodeAt(index);
  return difference === 0 && found.connector === delivery.connector;
}

async function openSecrets(ctx: CoreContext, subscription: PushSubscription): Promise<string[]> {
  const owner = subscriptionSecretOwner(subscription);
  const stored = subscription.previous === null ? [subscription.secret] : [subscription.secret, subscription.previous];
  try {
    return await Promise.all(stored.map((secret) => openSecret(ctx, owner, secret)));
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    // The installation lacks its key, so the carrier has to send the delivery again later.
    throw new LandfallError('unavailable', 'The signature cannot be verified at the moment. Retry later.', {
      retryAfterS: 60,
      cause: error,
    });
  }
}

/** The HMAC key is the decoded base64 secret (DCSA Track & Trace 2.2). WebCrypto compares in constant time. */
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
