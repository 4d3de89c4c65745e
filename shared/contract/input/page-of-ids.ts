import { z } from 'zod';
import { decodeCursor, encodeCursor } from '#shared/domain/cursor.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { RawQuery } from '../operation.ts';
import { parseQuery } from './parse-query.ts';

/** The query of a list that is ordered by id. */
export const pageOfIdsQuery = z.strictObject({
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(25)
    .meta({ description: 'Page size, 1 to 100.', examples: [25] }),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: '`next_cursor` of the previous page.', examples: ['WzEsIjIiXQ'] }),
});

/** A list of the wire's ids. `binding` keeps cursors of other lists out; `readId` returns null for another text. */
export type ListOfIds = { binding: string; toId: (uuid: string) => string; readId: (id: string) => string | null };

/** Throws LandfallError `validation_failed`, `unknown_parameter` or `invalid_cursor`. */
export function parsePageOfIds(list: ListOfIds, query: RawQuery): { limit: number; after: string | null } {
  const { limit, cursor } = parseQuery(pageOfIdsQuery, query);
  return { limit, after: cursor === undefined ? null : readCursor(list, cursor) };
}

/** The cursor after this id. */
export function cursorAfterId({ binding, toId }: ListOfIds, uuid: string): string {
  return encodeCursor(toId(uuid), binding);
}

/** The uuid that a cursor of this list goes on after. Throws LandfallError `invalid_cursor`. */
export function readCursor({ binding, readId }: ListOfIds, cursor: string): string {
  const position = decodeCursor(cursor, binding);
  const uuid = typeof position === 'string' ? readId(position) : null;
  if (uuid !== null) return uuid;
  throw new LandfallError('invalid_cursor', 'The cursor belongs to a different list. Start over without cursor.', {
    mistakes: [{ pointer: '?cursor', code: 'invalid_cursor', detail: 'cursor must be the next_cursor of a page.' }],
  });
}
