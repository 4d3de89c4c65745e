import { hash } from 'node:crypto';

/**
 * Hex SHA-256 of a text. For API keys a fast hash suffices: a key has 190 random bits. At once, not in a thread: a few kilobytes take
 * less than handing them over.
 */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}
