import type { Scope } from '#shared/domain/caller.ts';
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

type CallerKeyRow = {
  account_name: string;
  name: string;
  prefix: string;
  last_four: string;
  scopes: Scope[];
  test: boolean;
  expires_at: Date | null;
  last_used_at: Date | null;
};

/** The key with this id (a UUID) and the name of its account, or null. */
export async function readCallerKey(tx: Tx, accountId: string, keyId: string): Promise<CallerKey | null> {
  const { rows } = await tx.query<CallerKeyRow>({
    name: 'read-caller-key',
    text: `
      select a.name as account_name, k.name, k.prefix, k.last_four, k.scopes, k.test, k.expires_at, k.last_used_at
      from landfall.api_keys as k
      join landfall.accounts as a on a.id = k.account_id
      where k.account_id = $1 and k.id = $2`,
    values: [accountId, keyId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  return {
    accountName: row.account_name,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    scopes: row.scopes,
    test: row.test,
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
