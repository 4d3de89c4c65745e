import type { Limits } from '#shared/domain/keys/limits.ts';
import type { Store } from '../open-store.ts';
import { maxSilenceMs, readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Returns the account with this name and creates it if it does not exist. Throws while one of this name is being removed. */
export async function ensureAccount(tx: Tx, name: string): Promise<{ accountId: string; created: boolean }> {
  const inserted = await readRows<{ id: string }>(tx, {
    name: 'ensure-account',
    text: 'insert into landfall.accounts (name) values ($1) on conflict (name) do nothing returning id',
    values: [name],
  });
  if (inserted[0] !== undefined) return { accountId: inserted[0].id, created: true };
  const rows = await readRows<{ id: string; removed: boolean }>(tx, {
    name: 'find-ensured-account',
    text: 'select id, removed_at is not null as removed from landfall.accounts where name = $1',
    values: [name],
  });
  const [found] = rows;
  if (found === undefined) throw new Error(`the account ${name} was removed concurrently`);
  if (found.removed)
    throw new Error(`The account ${name} is being removed. Wait until it is gone, or choose another name.`);
  return { accountId: found.id, created: false };
}

/** The account with this name, or null. */
export async function findAccount(tx: Tx, name: string): Promise<string | null> {
  const rows = await readRows<{ id: string }>(tx, {
    name: 'find-account',
    text: 'select id from landfall.accounts where name = $1',
    values: [name],
  });
  return rows[0]?.id ?? null;
}

/**
 * Sets some limits of an account and returns all of its own limits. An empty change only reads. Throws when the account
 * doesn't exist.
 */
export async function mergeAccountLimits(
  tx: Tx,
  accountId: string,
  changes: Partial<Limits>,
): Promise<Partial<Limits>> {
  const [row] = await readRows<{ limits: Partial<Limits> }>(tx, {
    name: 'merge-account-limits',
    text: 'update landfall.accounts set limits = limits || $2::jsonb where id = $1 returning limits',
    values: [accountId, JSON.stringify(changes)],
  });
  if (row === undefined) throw new Error(`there is no account ${accountId}`);
  return row.limits;
}

/**
 * The account's own limits. Missing ones have the default. A single query without a transaction, because every request
 * runs it.
 */
export async function readAccountLimits(store: Store, accountId: string): Promise<Partial<Limits>> {
  const rows = await readRows<{ limits: Partial<Limits> }>(store.system, {
    name: 'read-account-limits',
    maxSilenceMs,
    text: 'select limits from landfall.accounts where id = $1',
    values: [accountId],
  });
  return rows[0]?.limits ?? {};
}

/** `retentionDays`: after how many days closed shipments are removed. Null: the installation decides. */
export type AccountSettings = { name: string; retentionDays: number | null };

export async function readAccountSettings(tx: Tx, accountId: string): Promise<AccountSettings | null> {
  const rows = await readRows<AccountSettings>(tx, {
    name: 'read-account-settings',
    text: 'select name, retention_days as "retentionDays" from landfall.accounts where id = $1 and removed_at is null',
    values: [accountId],
  });
  return rows[0] ?? null;
}

export async function updateRetention(tx: Tx, accountId: string, retentionDays: number | null): Promise<void> {
  await tx.query({
    name: 'update-retention',
    text: 'update landfall.accounts set retention_days = $2 where id = $1',
    values: [accountId, retentionDays],
  });
}

/** The names of accounts, by id. */
export async function readAccountNames(tx: Tx, accountIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await readRows<{ id: string; name: string }>(tx, {
    name: 'read-account-names',
    text: 'select id, name from landfall.accounts where id = any ($1::uuid[])',
    values: [accountIds],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
