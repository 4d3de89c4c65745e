import type { SecretOwner } from './seal-secret.ts';

/** To what an account's credentials at a carrier are bound when they are sealed. */
export function credentialOwner({
  accountId,
  carrier,
  id,
}: {
  accountId: string;
  carrier: string;
  id: string;
}): SecretOwner {
  return { accountId, purpose: `carrier-credentials:${carrier}`, id };
}
