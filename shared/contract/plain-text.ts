import { z } from 'zod';

/** Text from a client, trimmed, of `min` to `max` characters, without control characters or half surrogates (Postgres refuses those). */
export function plainText(limits: { min?: number; max: number }) {
  return z
    .string()
    .trim()
    .min(limits.min ?? 1)
    .max(limits.max)
    .refine(isPlain, {
      error: 'must not contain control characters or broken Unicode',
      params: { code: 'invalid_text' },
    });
}

/** False for control characters (but tab and line ends) and for text that is not well-formed Unicode. */
export function isPlain(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.isWellFormed() && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);
}
