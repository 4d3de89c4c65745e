import type { Scope } from '#shared/domain/caller.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** A key and its account, as shown to the key's holder. Times are ISO UTC. */
export type CallerKey = {
  accountName: string;
  name: string;
  prefix: string;
  lastFour: string;
  scopes: Scope[];
  test: boolean;
  expiresAt: string | null;
  lastUsedAt: string | null;
};

/** The key with this id (a UUID) and the name of its account, or null. */
export async function readCallerKey(tx: Tx, accountId: string, keyId: string): Promise<CallerKey | null> {
  const rows = await readRows<CallerKey>(tx, {
    name: 'read-caller-key',
    text: `
      select a.name as account_name, k.name, k.prefix, k.last_four, k.scopes, k.test, k.expires_at, k.last_used_at
      from landfall.api_keys as k
      join landfall.accounts as a on a.id = k.account_id
      where k.account_id = $1 and k.id = $2`,
    values: [accountId, keyId],
  });
  return rows[0] ?? null;
}
