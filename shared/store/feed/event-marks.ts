import { createHash } from 'node:crypto';

const known = new Map<string, number>();

/**
 * The marks by which changes with these added events (`eventKeyOf`) are found: the first 4 bytes of each key's SHA-256 as
 * a signed integer. All keys have marks of their own.
 */
export function eventMarks(keys: readonly string[]): number[] {
  return keys.map((key) => known.get(key) ?? remember(key));
}

function remember(key: string): number {
  const mark = createHash('sha256').update(key).digest().readInt32BE();
  known.set(key, mark);
  return mark;
}
