import type pg from 'pg';
import { LandfallError } from '#shared/domain/errors.ts';
import { endOnAbort } from './end-on-abort.ts';
import type { Tx } from './open-store.ts';
import { isDatabaseUnavailable } from './store-errors.ts';

export type TransactionBegin = {
  text: string;
  /** False: the first statement of `fn` goes out right behind it, one round trip less. Only where nothing can be done without what it sets. */
  isAwaited: boolean;
};

/**
 * Runs `fn` between `begin` and a commit, or a rollback when it throws. A database that is away throws LandfallError `unavailable`, and so
 * does work that the signal ended.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  begin: TransactionBegin,
  fn: (tx: Tx) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const tx = await connect(pool, signal);
  let broken: Error | undefined;
  const onBreak = (error: Error) => {
    broken = error;
  };
  // A checked-out connection that breaks between two queries emits an error, which ends the process when nobody listens.
  tx.on('error', onBreak);
  const stopListening = signal === undefined ? null : endOnAbort(tx, signal);
  const begun = tx.query(begin.text);
  // It is told of below, whenever it fails.
  begun.catch(() => undefined);
  try {
    if (begin.isAwaited) await begun;
    const result = await fn(tx);
    await begun;
    await tx.query('commit');
    return result;
  } catch (thrown) {
    const error = await begun.then(
      () => thrown,
      (reason: unknown) => reason,
    );
    const unavailable = isDatabaseUnavailable(error);
    if (unavailable) broken ??= error;
    if (broken === undefined) {
      await tx.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    }
    throw unavailable ? databaseAway(error) : error;
  } finally {
    stopListening?.();
    tx.off('error', onBreak);
    tx.release(broken ?? (signal?.aborted === true ? new Error('the work was cancelled') : undefined));
  }
}

/** Work that was cancelled while it waited hands its connection on unused: else abandoned work would hold up those who wait behind it. */
async function connect(pool: pg.Pool, signal: AbortSignal | undefined): Promise<Tx> {
  const tx = await pool.connect().catch((error: unknown) => {
    throw isDatabaseUnavailable(error) ? databaseAway(error) : error;
  });
  if (signal?.aborted !== true) return tx;
  tx.release();
  throw new LandfallError('unavailable', 'The work was cancelled before it began.');
}

function databaseAway(cause: Error): LandfallError {
  return new LandfallError('unavailable', 'The database is not available for the moment.', { retryAfterS: 2, cause });
}
