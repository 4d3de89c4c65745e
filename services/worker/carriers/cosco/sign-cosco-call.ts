import { createHash, createHmac, randomUUID } from 'node:crypto';

export type CoscoCall = { method: 'GET'; url: string; apiKey: string; secretKey: string; now: Date };

/**
 * The headers that sign a call without a body, as the platform's documentation prescribes: HMAC-SHA1 over date, digest,
 * a random id and the request line. The platform accepts a date that is at most two minutes off.
 */
export function signCoscoCall({ method, url, apiKey, secretKey, now }: CoscoCall): Record<string, string> {
  const { pathname, search } = new URL(url);
  const date = now.toUTCString();
  const digest = `SHA-256=${createHash('sha256').update('').digest('base64')}`;
  const id = createHash('md5').update(randomUUID()).digest('hex');
  const signed = [
    `X-Coscon-Date: ${date}`,
    `X-Coscon-Digest: ${digest}`,
    `X-Coscon-Content-Md5: ${id}`,
    `${method} ${pathname}${search} HTTP/1.1`,
  ].join('\n');
  const signature = createHmac('sha1', secretKey).update(signed).digest('base64');
  const names = 'X-Coscon-Date X-Coscon-Digest X-Coscon-Content-Md5 request-line';
  return {
    'X-Coscon-Date': date,
    'X-Coscon-Digest': digest,
    'X-Coscon-Content-Md5': id,
    'X-Coscon-Authorization': `hmac username="${apiKey}",algorithm="hmac-sha1",headers="${names}",signature="${signature}"`,
    'X-Coscon-Hmac': id,
  };
}
