import { createHmac } from 'node:crypto';

/** Parts that a signature covers, by Standard Webhooks 1.0. */
export type SignedMessage = {
  id: string;
  /** Unix seconds. */
  timestamp: number;
  body: string;
};

/** The bytes of a secret in its public form, `whsec_` and base64. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

/** The `webhook-signature` header: one signature for each valid secret, so that either verifies during a rotation. */
export function signWebhook({ id, timestamp, body }: SignedMessage, secrets: readonly Uint8Array[]): string {
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`)
    .join(' ');
}

/** The headers of a delivery, besides custom ones. `secrets`: in their public form. */
export function webhookHeaders(
  message: SignedMessage,
  { secrets, userAgent, traceparent }: { secrets: readonly string[]; userAgent: string; traceparent: string | null },
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': signWebhook(message, secrets.map(secretBytes)),
    ...(traceparent !== null && { traceparent }),
  };
}
