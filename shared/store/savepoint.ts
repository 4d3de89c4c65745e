import type { Tx } from './with-account.ts';

/**
 * Runs `fn` as a part of the transaction that can be undone alone: when it throws, and with `keep` false also when it does not. A connection
 * that is broken cannot undo; the transaction is lost then anyway.
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
