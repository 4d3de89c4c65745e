import { z } from 'zod';
import { isPlain, plainText, plainTextMessage } from '../input/plain-text.ts';

const maxMetadataKeys = 20;
const maxMetadataBytes = 4096;
const maxIdentifiers = 20;

/**
 * Metadata of at most 20 keys that keep a value, and 4 KB. Keys that an update removes count towards twice that size.
 */
export function metadataOf<Value extends z.ZodType<string | null>>(value: Value) {
  const hasRemovals = value.isNullable();
  return z
    .record(z.string(), value)
    .refine((metadata) => Object.values(metadata).filter((text) => text !== null).length <= maxMetadataKeys, {
      error: `must have at most ${maxMetadataKeys} keys.`,
      params: { code: 'too_long' },
    })
    .refine((metadata) => sizeOf(metadata) <= (hasRemovals ? 2 : 1) * maxMetadataBytes, {
      error: 'must have at most 4 KB.',
      params: { code: 'too_long' },
    })
    .refine((metadata) => Object.entries(metadata).flat().every(isPlainOrNull), {
      error: plainTextMessage,
      params: { code: 'invalid_text' },
    });
}

/** Tags that an update adds to those of a shipment, or removes from them. */
export const tagList = z
  .array(plainText({ max: 64 }))
  .max(20)
  .optional();

/** Identifiers as they were sent. Which of them a transport mode has is decided by the domain. */
export const rawIdentifiers = z.record(z.string(), z.unknown()).refine(hasReadableSize, {
  error: `must have at most ${maxIdentifiers} entries.`,
  params: { code: 'too_long' },
});

export function hasReadableSize(identifiers: Record<string, unknown>): boolean {
  return Object.keys(identifiers).length <= maxIdentifiers;
}

function sizeOf(metadata: object): number {
  return new TextEncoder().encode(JSON.stringify(metadata)).length;
}

function isPlainOrNull(text: unknown): boolean {
  return text === null || (typeof text === 'string' && isPlain(text));
}
