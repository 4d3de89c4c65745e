import type { Tx } from '../with-account.ts';

/** The account of this name, made when there is none. */
export async function ensureAccount(tx: Tx, name: string): Promise<{ accountId: string; created: boolean }> {
  const inserted = await tx.query<{ id: string }>({
    name: 'ensure-account',
    text: 'insert into landfall.accounts (name) values ($1) on conflict (name) do nothing returning id',
    values: [name],
  });
  if (inserted.rows[0] !== undefined) return { accountId: inserted.rows[0].id, created: true };
  const found = await tx.query<{ id: string }>({
    name: 'find-account',
    text: 'select id from landfall.accounts where name = $1',
    values: [name],
  });
  const [row] = found.rows;
  if (row === undefined) throw new Error(`the account ${name} was removed at this moment`);
  return { accountId: row.id, created: false };
}
