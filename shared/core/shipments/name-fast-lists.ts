import { LandfallError } from '#shared/domain/errors.ts';
import { namedLists } from '#shared/domain/shipments/named-lists.ts';
import { isStatementTimeout } from '#shared/store/store-errors.ts';

const fastLists = namedLists.map(({ example }) => example).join(' ; ');

/** Runs a read of a list. One that took too long throws LandfallError `list_too_slow`, which says what is always fast. */
export async function nameFastLists<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LandfallError) || !isStatementTimeout(error.cause)) throw error;
    const detail = `Finding these shipments took too long; narrow them by a number or a reference, or ask one of the lists that are always fast: ${fastLists}`;
    throw new LandfallError('list_too_slow', detail, { cause: error.cause, retryAfterS: 30 });
  }
}
