import { apiKeyBody } from '#shared/domain/keys/api-key.ts';
import { sha256Hex } from '../keys/sha256-hex.ts';

const tokenShape = /^[0-9A-Za-z]{32}$/;

/** A token for a link that works once, and what is stored of it. */
export function newLinkToken(): { token: string; tokenHash: string } {
  const token = apiKeyBody((count) => globalThis.crypto.getRandomValues(new Uint8Array(count)));
  return { token, tokenHash: sha256Hex(token) };
}

/** The hex SHA-256 of a presented token; null when it cannot be one. */
export function linkTokenHash(token: string): string | null {
  return tokenShape.test(token) ? sha256Hex(token) : null;
}
