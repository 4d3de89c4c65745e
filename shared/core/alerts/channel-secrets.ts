import type { AddressedChannel } from '#shared/domain/alerts/alert.ts';
import type { StoredChannel } from '#shared/store/alerts/alert-preferences.ts';
import type { CoreContext } from '../core-context.ts';
import { openSecret, type SecretOwner, sealSecret } from '../secrets/seal-secret.ts';

type SecretContext = Pick<CoreContext, 'secretKeys'>;
type ChannelOwner = { accountId: string; id: string };

/** The owner that a channel's address is sealed for. */
export function channelUrlOwner({ accountId, id }: ChannelOwner): SecretOwner {
  return { accountId, purpose: 'alert-channel-url', id };
}

/** The owner that a channel's signing secret is sealed for. */
export function channelSecretOwner({ accountId, id }: ChannelOwner): SecretOwner {
  return { accountId, purpose: 'alert-channel-secret', id };
}

const secretBytes = 32;

/** Seals an address, and for a webhook a new signing secret. Throws LandfallError `invalid_state` without keys. */
export async function sealChannel(
  ctx: SecretContext,
  owner: ChannelOwner,
  { kind, url }: { kind: AddressedChannel; url: string },
): Promise<Pick<StoredChannel, 'url' | 'secret'> & { plainSecret: string | null }> {
  const sealedUrl = await sealSecret(ctx, channelUrlOwner(owner), url);
  if (kind !== 'webhook') return { url: sealedUrl, secret: null, plainSecret: null };
  const random = globalThis.crypto.getRandomValues(new Uint8Array(secretBytes));
  const plainSecret = `whsec_${Buffer.from(random).toString('base64')}`;
  return { url: sealedUrl, secret: await sealSecret(ctx, channelSecretOwner(owner), plainSecret), plainSecret };
}

/** Address and secret in plain text: never log or return them. Throws `SecretUnreadable`. */
export async function openChannel(
  ctx: SecretContext,
  accountId: string,
  { id, url, secret }: StoredChannel,
): Promise<{ url: string; secret: string | null }> {
  const owner = { accountId, id };
  return {
    url: await openSecret(ctx, channelUrlOwner(owner), url),
    secret: secret === null ? null : await openSecret(ctx, channelSecretOwner(owner), secret),
  };
}
