import type { Limits } from '#shared/domain/keys/limits.ts';
import type { Tx } from '../with-account.ts';

/** Sets some limits of an account and gives all of its own; an empty change only reads. Throws when there is no such account. */
export async function mergeAccountLimits(
  tx: Tx,
  accountId: string,
  changes: Partial<Limits>,
): Promise<Partial<Limits>> {
  const { rows } = await tx.query<{ limits: Partial<Limits> }>({
    name: 'merge-account-limits',
    text: 'update landfall.accounts set limits = limits || $2::jsonb where id = $1 returning limits',
    values: [accountId, JSON.stringify(changes)],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no account ${accountId}`);
  return row.limits;
}
