import type { Tx } from './with-account.ts';

/** When this transaction began, by Postgres's clock. */
export async function readTime(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>({ name: 'read-time', text: 'select now() as now' });
  if (rows[0] === undefined) throw new Error('the database gave no time');
  return rows[0].now;
}
