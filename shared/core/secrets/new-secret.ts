import { hash } from 'node:crypto';
import { type ApiKeyParts, apiKeyBody, formatApiKey, parseApiKey } from '#shared/domain/keys/api-key.ts';

const tokenShape = /^[0-9A-Za-z]{32}$/;

/** A new API key and what is stored of it. */
export function newSecret(test: boolean): { secret: string; stored: ApiKeyParts & { keyHash: string } } {
  const body = apiKeyBody((count) => globalThis.crypto.getRandomValues(new Uint8Array(count)));
  const secret = formatApiKey(body, test);
  const parts = parseApiKey(secret);
  if (parts === null) throw new Error('a new key does not parse');
  return { secret, stored: { ...parts, keyHash: sha256Hex(secret) } };
}

/** A token for a link that works once, and what is stored of it. */
export function newLinkToken(): { token: string; tokenHash: string } {
  const token = apiKeyBody((count) => globalThis.crypto.getRandomValues(new Uint8Array(count)));
  return { token, tokenHash: sha256Hex(token) };
}

/** The hex SHA-256 of a presented token. Null: it can't be one. */
export function linkTokenHash(token: string): string | null {
  return tokenShape.test(token) ? sha256Hex(token) : null;
}

/**
 * Hex SHA-256 of a text. A fast hash is enough for keys of 190 random bits. Synchronous: handing a few kilobytes to a
 * thread takes longer than hashing them.
 */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}
