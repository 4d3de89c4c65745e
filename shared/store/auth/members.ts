import { operatorsAccount, type Role } from '#shared/domain/members/role.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** A member of an account. `joinedAt` is ISO UTC. */
export type Member = { userId: string; name: string; email: string; role: Role; joinedAt: string };

/** An account that a user is a member of. `runsInstallation`: its owners are the operators. */
export type Membership = { accountId: string; name: string; role: Role; runsInstallation: boolean };

/**
 * Creates the auth organization of an account if it doesn't exist. An existing one keeps its name, which its owners may
 * have changed.
 */
export async function ensureOrganization(tx: Tx, account: { accountId: string; name: string }): Promise<void> {
  await tx.query({
    name: 'ensure-organization',
    text: `
      insert into auth.organizations (id, name, slug, runs_installation)
      values ($1::uuid, $2, $1::uuid::text, $3)
      on conflict (id) do nothing`,
    values: [account.accountId, account.name, account.name === operatorsAccount],
  });
}

/** Renames the account in the dashboard and returns its former name. Null if there is no organization of this id. */
export async function renameOrganization(tx: Tx, accountId: string, name: string): Promise<string | null> {
  const rows = await readRows<{ former: string }>(tx, {
    name: 'rename-organization',
    text: `
      with former as (select id, name from auth.organizations where id = $1 for no key update)
      update auth.organizations as o set name = $2 from former where o.id = former.id
      returning former.name as former`,
    values: [accountId, name],
  });
  return rows[0]?.former ?? null;
}

/** Returns false when the user is already a member. The role then stays unchanged. */
export async function insertMember(
  tx: Tx,
  accountId: string,
  member: { userId: string; role: Role },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert-member',
    text: `
      insert into auth.members (organization_id, user_id, role) values ($1, $2, $3)
      on conflict (organization_id, user_id) do nothing`,
    values: [accountId, member.userId, member.role],
  });
  return rowCount === 1;
}

/** The members of an account, in the order in which they joined. */
export async function readMembers(tx: Tx, accountId: string): Promise<Member[]> {
  return readRows<Member>(tx, {
    name: 'read-members',
    text: `
      select m.user_id, u.name, u.email, m.role, m.created_at as joined_at
      from auth.members as m join auth.users as u on u.id = m.user_id
      where m.organization_id = $1
      order by m.created_at, m.user_id`,
    values: [accountId],
  });
}

/** Returns the same and locks the account's members until this transaction ends. */
export async function lockMembers(tx: Tx, accountId: string): Promise<Member[]> {
  // Locks the organization's row for all of its members: two owners who remove each other concurrently must not both
  // succeed.
  await tx.query({
    name: 'lock-members',
    text: 'select id from auth.organizations where id = $1 for no key update',
    values: [accountId],
  });
  return readMembers(tx, accountId);
}

export async function updateMemberRole(
  tx: Tx,
  accountId: string,
  member: { userId: string; role: Role },
): Promise<void> {
  await tx.query({
    name: 'update-member-role',
    text: 'update auth.members set role = $3 where organization_id = $1 and user_id = $2',
    values: [accountId, member.userId, member.role],
  });
}

export async function deleteMember(tx: Tx, accountId: string, userId: string): Promise<void> {
  await tx.query({
    name: 'delete-member',
    text: 'delete from auth.members where organization_id = $1 and user_id = $2',
    values: [accountId, userId],
  });
}

export async function hasMembers(tx: Tx, accountId: string): Promise<boolean> {
  const rows = await readRows<{ found: boolean }>(tx, {
    name: 'has-members',
    text: 'select exists (select from auth.members where organization_id = $1) as found',
    values: [accountId],
  });
  return rows[0]?.found === true;
}

/** Every account that the user is a member of, by name. */
export async function readMemberships(tx: Pick<Tx, 'query'>, userId: string): Promise<Membership[]> {
  return readRows<Membership>(tx, {
    name: 'read-memberships',
    text: `
      select o.id as account_id, o.name, m.role, o.runs_installation
      from auth.members as m join auth.organizations as o on o.id = m.organization_id
      where m.user_id = $1
      order by o.name, o.id`,
    values: [userId],
  });
}
