import { z } from 'zod';
import { decodeCursor, encodeCursor } from '#shared/domain/cursor.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { RawQuery } from '../operation.ts';
import { parseQuery } from '../parse-query.ts';
import { readApiKeyId, toApiKeyId } from './api-key-wire.ts';

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

/** Reads the query of the list of keys. Throws LandfallError `validation_failed`, `unknown_parameter`, `invalid_cursor`. */
export function parseListApiKeysQuery(query: RawQuery): {
  limit: number;
  after: string | null;
} {
  const { limit, cursor } = parseQuery(listApiKeysQuery, query);
  return { limit, after: cursor === undefined ? null : readCursor(cursor) };
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
