import { createHash } from 'node:crypto';

/**
 * The marks by which changes with these added events (`eventKeyOf`) are found: the first 4 bytes of each key's SHA-256 as
 * a signed integer. All keys have marks of their own.
 */
export function eventHashes(keys: readonly string[]): number[] {
  return keys.map((key) => createHash('sha256').update(key).digest().readInt32BE());
}
