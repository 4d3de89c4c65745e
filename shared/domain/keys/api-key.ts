import { crc32 } from '../crc32.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 32;
const checksumLength = 6;
const keyPattern = /^(svc_(?:live|test)_)([0-9A-Za-z]{32,64})([0-9A-Za-z]{6})$/;

/** Of one account: keys that are neither revoked nor expired. */
export const maxValidApiKeys = 200;

/** Hours for which a rotated key stays valid. */
export const defaultOverlapHours = 24;
export const maxOverlapHours = 168;

/** Parts of a key that may be shown: its mode, its first characters and its last four. */
export type ApiKeyParts = { test: boolean; prefix: string; lastFour: string };

/** A random key body of 32 base62 characters (190 bits). `randomBytes` must be cryptographically strong. */
export function apiKeyBody(randomBytes: (count: number) => Uint8Array): string {
  let body = '';
  while (body.length < secretLength) {
    for (const byte of randomBytes(secretLength)) {
      // 248 is the largest multiple of 62 in a byte. Larger values would make some characters more frequent.
      if (byte < 248 && body.length < secretLength) body += base62[byte % 62];
    }
  }
  return body;
}

/** The complete key: `svc_live_` or `svc_test_`, the body, and a checksum over both. */
export function formatApiKey(body: string, test: boolean): string {
  const stem = `${test ? 'svc_test_' : 'svc_live_'}${body}`;
  return stem + checksum(stem);
}

/** Parses a presented key. Null: its form or its checksum is wrong, so that a typo is refused without a query. */
export function parseApiKey(text: string): ApiKeyParts | null {
  const match = keyPattern.exec(text);
  if (match === null) return null;
  const [, kind = '', body = '', presented = ''] = match;
  if (checksum(kind + body) !== presented) return null;
  return { test: kind === 'svc_test_', prefix: kind + body.slice(0, 4), lastFour: text.slice(-4) };
}

function checksum(stem: string): string {
  let rest = crc32(stem);
  let digits = '';
  for (let place = 0; place < checksumLength; place++) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
