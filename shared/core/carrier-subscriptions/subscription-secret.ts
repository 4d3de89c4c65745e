import type { CoreContext } from '../core-context.ts';
import { type SealedSecret, type SecretOwner, sealSecret } from '../secrets/seal-secret.ts';

/** Carriers accept 32 to 64 bytes. */
const secretBytes = 48;

/** The owner that a subscription's secrets are sealed for. */
export function subscriptionSecretOwner({ accountId, id }: { accountId: string; id: string }): SecretOwner {
  return { accountId, purpose: 'push', id };
}

/** A new secret for deliveries, in base64 and sealed. Throws LandfallError `invalid_state` if there are no keys. */
export async function newSubscriptionSecret(
  ctx: Pick<CoreContext, 'secretKeys'>,
  subscription: { accountId: string; id: string },
): Promise<{ secret: string; stored: SealedSecret }> {
  const secret = btoa(String.fromCharCode(...globalThis.crypto.getRandomValues(new Uint8Array(secretBytes))));
  return { secret, stored: await sealSecret(ctx, subscriptionSecretOwner(subscription), secret) };
}
