import type pg from 'pg';
import { LandfallError } from '#shared/domain/errors.ts';
import { endOnAbort } from './end-on-abort.ts';
import type { Tx } from './open-store.ts';
import { isDatabaseUnavailable } from './store-errors.ts';

/**
 * Runs `fn` between `begin` and a commit, or a rollback when it throws. A database that is away throws LandfallError `unavailable`, and so
 * does work that the signal ended.
 */
export async function inTransaction<T>(pool: pg.Pool, begin: string, fn: (tx: Tx) => Promise<T>, signal?: AbortSignal): Promise<T> {
  let tx: Tx | undefined;
  let broken: Error | undefined;
  let stopListening: (() => void) | undefined;
  const onBreak = (error: Error) => {
    broken = error;
  };
  try {
    tx = await pool.connect();
    // A checked-out connection that breaks between two queries emits an error, which ends the process when nobody listens.
    tx.on('error', onBreak);
    if (signal !== undefined) {
      if (signal.aborted) throw new LandfallError('unavailable', 'The work was cancelled before it began.');
      stopListening = endOnAbort(tx, signal);
    }
    await tx.query(begin);
    const result = await fn(tx);
    await tx.query('commit');
    return result;
  } catch (error) {
    const unavailable = isDatabaseUnavailable(error);
    if (unavailable) broken ??= error;
    if (tx !== undefined && broken === undefined) {
      await tx.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    }
    if (!unavailable) throw error;
    throw new LandfallError('unavailable', 'The database is not available for the moment.', { retryAfterS: 2, cause: error });
  } finally {
    stopListening?.();
    tx?.off('error', onBreak);
    tx?.release(broken ?? (signal?.aborted === true ? new Error('the work was cancelled') : undefined));
  }
}
