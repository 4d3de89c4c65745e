import { z } from 'zod';
import { decodeCursor, encodeCursor } from '#shared/domain/cursor.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { readApiKeyId, toApiKeyId } from './api-key-wire.ts';
import { inputMistakes, type MistakeNaming, parameterPointer } from './input-mistakes.ts';

export const listApiKeysQuery = z.strictObject({
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(25)
    .meta({ description: 'Keys on a page, 1 to 100.', examples: [25] }),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: '`next_cursor` of the page before.', examples: ['WzEsIjIiXQ'] }),
});

const cursorBinding = 'api-keys';
const naming: MistakeNaming = { pointerOf: parameterPointer, names: Object.keys(listApiKeysQuery.shape), noun: 'parameter' };

/** Reads the query of the list of keys. Throws LandfallError `validation_failed`, `unknown_parameter`, `invalid_cursor`. */
export function parseListApiKeysQuery(query: Readonly<Record<string, unknown>>): { limit: number; after: string | null } {
  const { limit } = query;
  const input = typeof limit === 'string' && /^-?\d{1,9}$/.test(limit) ? { ...query, limit: Number(limit) } : query;
  const result = listApiKeysQuery.safeParse(input);
  if (!result.success) {
    const mistakes = inputMistakes(result.error.issues, input, naming);
    const isUnknown = mistakes.every((mistake) => mistake.code === 'unknown_parameter');
    const detail = mistakes.map((mistake) => mistake.detail).slice(0, 5);
    throw new LandfallError(isUnknown ? 'unknown_parameter' : 'validation_failed', detail.join('; '), { mistakes });
  }
  return { limit: result.data.limit, after: result.data.cursor === undefined ? null : readCursor(result.data.cursor) };
}

/** The cursor behind this key. */
export function apiKeyCursor(uuid: string): string {
  return encodeCursor(toApiKeyId(uuid), cursorBinding);
}

function readCursor(cursor: string): string {
  const position = decodeCursor(cursor, cursorBinding);
  const uuid = typeof position === 'string' ? readApiKeyId(position) : null;
  if (uuid !== null) return uuid;
  throw new LandfallError('invalid_cursor', 'The cursor is not one of this list; start again without it', {
    mistakes: [{ pointer: '?cursor', code: 'invalid_cursor', detail: 'cursor must be the next_cursor of a page' }],
  });
}
