import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import { removeShipments } from './remove-shipments.ts';

/** Marks an account to be removed and revokes its keys. False when it is marked already, or gone. */
export async function markAccountRemoved(tx: Tx, accountId: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'mark-account-removed',
    text: 'update landfall.accounts set removed_at = now() where id = $1 and removed_at is null',
    values: [accountId],
  });
  await tx.query({
    name: 'revoke-keys-of-account',
    text: 'update landfall.api_keys set revoked_at = now() where account_id = $1 and revoked_at is null',
    values: [accountId],
  });
  return rowCount === 1;
}

/** Ends the access of an account's members and guests. Those who belong to no other account are deleted. Under the auth role. */
export async function removeMembersOf(tx: Tx, accountId: string): Promise<void> {
  await tx.query({
    name: 'remove-invitations-to-account',
    text: 'delete from auth.invitations where organization_id = $1',
    values: [accountId],
  });
  await tx.query({
    name: 'remove-members-of-account',
    text: `
      with gone as (
        delete from auth.members where organization_id = $1 returning user_id
      )
      delete from auth.users as u
      using gone
      where u.id = gone.user_id
        and not exists (select from auth.members as m where m.user_id = u.id and m.organization_id <> $1)`,
    values: [accountId],
  });
}

/** Accounts that are marked and not gone yet. */
export async function findRemovedAccounts(tx: Tx): Promise<string[]> {
  const rows = await readRows<{ id: string }>(tx, {
    name: 'find-removed-accounts',
    text: 'select id from landfall.accounts where removed_at is not null order by removed_at',
  });
  return rows.map(({ id }) => id);
}

const shipmentsPerStep = 100;
const rowsPerStep = 5000;

export type AccountStep = { shipments: number; rows: number };

/**
 * Deletes a part of what a marked account has: shipments, and rows of every table with an `account_id`, so that a new
 * table needs no entry here. `rows` 0: nothing is left but the account itself.
 */
export async function removeAccountStep(tx: Tx, accountId: string): Promise<AccountStep> {
  const found = await readRows<{ id: string }>(tx, {
    name: 'find-shipments-of-account',
    text: 'select id from landfall.shipments where account_id = $1 limit $2',
    values: [accountId, shipmentsPerStep],
  });
  const ids = found.map(({ id }) => id);
  const shipments = (await removeShipments(tx, accountId, { shipmentIds: ids })).length;
  // Traces of shipments are gone with them. The others are searched through, two days of them, so not in every step.
  if (shipments > 0) return { shipments, rows: shipments };
  const traces = await tx.query({
    name: 'remove-traces-of-account',
    text: `
      with parts as (
        delete from landfall.trace_parts where account_id = $1 returning trace_id
      )
      delete from landfall.spans where trace_id = any (array(select trace_id from parts))`,
    values: [accountId],
  });
  let rows = traces.rowCount ?? 0;
  for (const table of await tablesOfAccounts(tx)) {
    const { rowCount } = await tx.query(
      `delete from ${table}
       where account_id = $1 and ctid = any (array(select ctid from ${table} where account_id = $1 limit ${rowsPerStep}))`,
      [accountId],
    );
    rows += rowCount ?? 0;
  }
  return { shipments, rows };
}

/** Deletes an account that has nothing left, with its organization and invitations, and its audit log. */
export async function removeEmptyAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.query('delete from landfall.accounts where id = $1', [accountId]);
  await tx.query(`delete from landfall.audit where account_id = $1 and action <> 'account.removed'`, [accountId]);
}

/** Tables of the schema whose rows belong to an account, quoted. Shipments take what hangs on them along. */
async function tablesOfAccounts(tx: Tx): Promise<string[]> {
  const rows = await readRows<{ name: string }>(tx, {
    name: 'list-tables-of-accounts',
    text: `
      select c.oid::regclass::text as name
      from pg_class as c
      join pg_attribute as a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
      where c.relnamespace = 'landfall'::regnamespace and c.relkind = 'r' and not c.relispartition
        and c.relname not in ('shipments', 'audit')
        and not exists (
          select from pg_constraint as f
          where f.conrelid = c.oid and f.contype = 'f' and f.confdeltype = 'c' and f.confrelid = 'landfall.shipments'::regclass
        )
      order by c.relname`,
  });
  return rows.map(({ name }) => `landfall.${name.replace(/^landfall\./, '')}`);
}
