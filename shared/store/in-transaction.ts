import type pg from 'pg';
import { LandfallError } from '#shared/domain/errors.ts';
import { breakConnection, endOnAbort } from './end-on-abort.ts';
import { announceCommittedChanges, takeWrittenChanges } from './feed/committed-changes.ts';
import { noteFullDisk } from './full-pools.ts';
import type { Tx } from './open-store.ts';
import { maxSilenceMs } from './read-rows.ts';
import { type SendWrites, sendInOrder } from './send-in-order.ts';
import { isDatabaseUnavailable, isDiskFull, unavailabilityOf } from './store-errors.ts';

export type TransactionBegin = {
  text: string;
  /**
   * False: the first statement of `fn` is sent without waiting, which saves a round trip. Only safe if no statement
   * works without the settings of `text`.
   */
  isAwaited: boolean;
};

/**
 * Runs `fn` in a transaction and commits it, or rolls it back when `fn` throws. `fn` can commit with its last writes
 * instead, in one round trip. Throws LandfallError `unavailable` or `storage_full` when the database is unavailable,
 * and `unavailable` when the signal aborts the work.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  begin: TransactionBegin,
  fn: (tx: Tx, commitWith: SendWrites) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const tx = await connect(pool, signal);
  let broken: Error | undefined;
  let isCommitted = false;
  const commitWith: SendWrites = async (writes) => {
    isCommitted = true;
    await sendInOrder(tx, [...writes, (last) => last.query('commit')]);
  };
  const onBreak = (error: Error) => {
    broken = error;
  };
  // A checked-out connection that breaks between two queries emits an error, which ends the process without a listener.
  tx.on('error', onBreak);
  const stopListening = signal === undefined ? null : endOnAbort(tx, signal);
  const begun = tx.query(promptly(begin.text));
  // A failure is reported below. The statements that were sent after it would wait for an answer of their own.
  begun.catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) breakConnection(tx);
  });
  try {
    if (begin.isAwaited) await begun;
    const result = await fn(tx, commitWith);
    await begun;
    if (!isCommitted) await tx.query('commit');
    if (takeWrittenChanges(tx)) announceCommittedChanges(pool);
    return result;
  } catch (thrown) {
    const error = await begun.then(
      () => thrown,
      (reason: unknown) => reason,
    );
    // A full disk leaves the connection usable.
    if (isDiskFull(error)) noteFullDisk(pool);
    else if (isDatabaseUnavailable(error)) broken ??= error;
    if (broken === undefined) {
      await tx.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    }
    throw unavailabilityOf(error) ?? error;
  } finally {
    stopListening?.();
    takeWrittenChanges(tx);
    tx.off('error', onBreak);
    tx.release(broken ?? (signal?.aborted === true ? new Error('the work was cancelled') : undefined));
  }
}

/** The driver's types don't declare the timeout of one statement. */
function promptly(text: string): pg.QueryConfig {
  return { text, query_timeout: maxSilenceMs } as pg.QueryConfig;
}

/**
 * Work that was cancelled while waiting releases its connection unused, so that it doesn't delay the next one in the
 * queue.
 */
async function connect(pool: pg.Pool, signal: AbortSignal | undefined): Promise<Tx> {
  const tx = await pool.connect().catch((error: unknown) => {
    throw unavailabilityOf(error) ?? error;
  });
  if (signal?.aborted !== true) return tx;
  tx.release();
  throw new LandfallError('unavailable', 'The work was cancelled before it started.');
}

/**
 * Runs `fn` in a savepoint. Rolls it back when `fn` throws, and also afterwards when `keep` is false. On a broken
 * connection the rollback is skipped, because the transaction is lost anyway.
 */
export async function withinSavepoint<T>(tx: Tx, keep: boolean, fn: () => Promise<T>): Promise<T> {
  await tx.query('savepoint part');
  try {
    const result = await fn();
    await tx.query(keep ? 'release savepoint part' : 'rollback to savepoint part; release savepoint part');
    return result;
  } catch (error) {
    await tx.query('rollback to savepoint part; release savepoint part').catch(() => undefined);
    throw error;
  }
}
