import type { Limits } from '#shared/domain/keys/limits.ts';
import type { Store } from '../open-store.ts';

/** The account's own limits; what is not named has the default. One query, without a transaction: this is on the path of every request. */
export async function readAccountLimits(store: Store, accountId: string): Promise<Partial<Limits>> {
  const { rows } = await store.system.query<{ limits: Partial<Limits> }>({
    name: 'read-account-limits',
    text: 'select limits from landfall.accounts where id = $1',
    values: [accountId],
  });
  return rows[0]?.limits ?? {};
}
