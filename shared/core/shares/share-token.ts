import { sha256Hex } from '../secrets/new-secret.ts';

const tokenBytes = 16;
const tokenShape = /^[\w-]{22}$/;

/** A token of 128 random bits for the address of a page, and what is stored of it. */
export function newShareToken(): { token: string; tokenHash: string } {
  const token = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(tokenBytes))).toString('base64url');
  return { token, tokenHash: sha256Hex(token) };
}

/** The hex SHA-256 of a presented token. Null: it can't be one. */
export function shareTokenHash(token: string): string | null {
  return tokenShape.test(token) ? sha256Hex(token) : null;
}
