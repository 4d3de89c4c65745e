import { z } from 'zod';

export const plainTextMessage = 'must not contain control characters or invalid Unicode.';

/**
 * Text from a client, trimmed, of `min` to `max` characters, without control characters or lone surrogates, which
 * Postgres rejects.
 */
export function plainText(limits: { min?: number; max: number }) {
  return z
    .string()
    .trim()
    .min(limits.min ?? 1)
    .max(limits.max)
    .refine(isPlain, { error: plainTextMessage, params: { code: 'invalid_text' } });
}

/** False for control characters other than tab and line ends, and for text that is not well-formed Unicode. */
export function isPlain(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is there to find them
  return text.isWellFormed() && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);
}
