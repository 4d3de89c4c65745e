import { createHmac, timingSafeEqual } from 'node:crypto';

/** Reason why a delivery is not accepted as Landfall's; null for a valid signature. */
export type SignatureFault =
  | 'no secret known'
  | 'headers missing'
  | 'timestamp too old or too new'
  | 'signature does not match';

export type SignedRequest = {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
};

const toleranceS = 5 * 60;

/**
 * Checks a signature of Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body` with the bytes after `whsec_`. One
 * of the space-separated `v1,` signatures must match one of the secrets, and the timestamp must be at most five minutes
 * away.
 */
export function verifySignature(
  { headers, body }: SignedRequest,
  secrets: readonly string[],
  nowMs: number,
): SignatureFault | null {
  if (secrets.length === 0) return 'no secret known';
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name] ?? ''),
  ) as [string, string, string];
  if (id === '' || timestamp === '' || signature === '') return 'headers missing';
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) - nowMs / 1000) > toleranceS)
    return 'timestamp too old or too new';
  const given = signature
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice('v1,'.length), 'base64'));
  const isValid = secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  });
  return isValid ? null : 'signature does not match';
}
