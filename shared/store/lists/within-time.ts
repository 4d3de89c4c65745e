import { withinSavepoint } from '../in-transaction.ts';
import { readRows } from '../read-rows.ts';
import { isStatementTimeout } from '../store-errors.ts';
import type { Tx } from '../with-account.ts';

/** The result of the statements of `read`, or null when one takes longer than `limitMs`. */
export async function withinTime<T>(tx: Tx, limitMs: number, read: () => Promise<T>): Promise<T | null> {
  const rows = await readRows<{ before: string }>(tx, {
    text: `select current_setting('statement_timeout') as before`,
  });
  try {
    return await withinSavepoint(tx, true, async () => {
      await tx.query(`set local statement_timeout = ${limitMs}`);
      const result = await read();
      await tx.query(`select set_config('statement_timeout', $1, true)`, [rows[0]?.before]);
      return result;
    });
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}
