import { type SealedSecret, type SecretOwner, sealSecret } from '../carriers/seal-secret.ts';
import type { CoreContext } from '../core-context.ts';

/** Between the 32 and 64 bytes that carriers take. */
const secretBytes = 48;

/** What a subscription's secrets are sealed for. */
export function pushSecretOwner({ accountId, id }: { accountId: string; id: string }): SecretOwner {
  return { accountId, purpose: 'push', id };
}

/** A new secret for deliveries, in base64, and as it is stored. Throws LandfallError `invalid_state` when the installation has no keys. */
export async function newPushSecret(
  ctx: Pick<CoreContext, 'secretKeys'>,
  subscription: { accountId: string; id: string },
): Promise<{ secret: string; stored: SealedSecret }> {
  const secret = btoa(String.fromCharCode(...globalThis.crypto.getRandomValues(new Uint8Array(secretBytes))));
  return { secret, stored: await sealSecret(ctx, pushSecretOwner(subscription), secret) };
}
