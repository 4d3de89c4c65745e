import type { WebhookTarget } from '#shared/domain/webhooks/send-webhook.ts';
import type { EndpointSecrets } from '#shared/store/webhooks/endpoint-row.ts';
import type { CoreContext } from '../core-context.ts';
import { openSecret, type SealedSecret, type SecretOwner, sealSecret } from '../secrets/seal-secret.ts';

type EndpointOwner = { accountId: string; id: string };
type SecretContext = Pick<CoreContext, 'secretKeys'>;

/** Standard Webhooks recommends 24 to 64 bytes. */
const secretBytes = 32;

/** The owner that an endpoint's signing secrets are sealed for. */
export function webhookSecretOwner({ accountId, id }: EndpointOwner): SecretOwner {
  return { accountId, purpose: 'webhook-secret', id };
}

/** The owner that an endpoint's custom headers are sealed for. */
export function webhookHeadersOwner({ accountId, id }: EndpointOwner): SecretOwner {
  return { accountId, purpose: 'webhook-headers', id };
}

/** A new signing secret, in its public form and sealed. Throws LandfallError `invalid_state` if there are no keys. */
export async function newWebhookSecret(
  ctx: SecretContext,
  owner: EndpointOwner,
): Promise<{ secret: string; stored: SealedSecret }> {
  const random = globalThis.crypto.getRandomValues(new Uint8Array(secretBytes));
  const secret = `whsec_${btoa(String.fromCharCode(...random))}`;
  return { secret, stored: await sealSecret(ctx, webhookSecretOwner(owner), secret) };
}

/** Null: there are none. Throws LandfallError `invalid_state` if there are no keys. */
export async function sealHeaders(
  ctx: SecretContext,
  owner: EndpointOwner,
  headers: Readonly<Record<string, string>>,
): Promise<SealedSecret | null> {
  if (Object.keys(headers).length === 0) return null;
  return sealSecret(ctx, webhookHeadersOwner(owner), JSON.stringify(headers));
}

/** The custom headers in plain text. Throws `SecretUnreadable`. */
export async function openHeaders(
  ctx: SecretContext,
  owner: EndpointOwner,
  { headers }: Pick<EndpointSecrets, 'headers'>,
): Promise<Record<string, string>> {
  return headers === null ? {} : JSON.parse(await openSecret(ctx, webhookHeadersOwner(owner), headers));
}

/** The secrets that sign, in plain text: the present one first. Throws `SecretUnreadable`. */
export async function openSecrets(
  ctx: SecretContext,
  owner: EndpointOwner,
  { present, previous }: EndpointSecrets,
): Promise<string[]> {
  const sealed = previous === null ? [present] : [present, previous];
  return Promise.all(sealed.map((stored) => openSecret(ctx, webhookSecretOwner(owner), stored)));
}

/** Opens the target of a delivery, in plain text: never log or return it. Throws `SecretUnreadable`. */
export async function openTarget(
  ctx: SecretContext,
  accountId: string,
  endpoint: { id: string; url: string; test: boolean; timeoutS: number },
  secrets: EndpointSecrets,
): Promise<WebhookTarget> {
  const owner = { accountId, id: endpoint.id };
  return {
    url: endpoint.url,
    test: endpoint.test,
    timeoutMs: endpoint.timeoutS * 1000,
    headers: await openHeaders(ctx, owner, secrets),
    secrets: await openSecrets(ctx, owner, secrets),
  };
}
