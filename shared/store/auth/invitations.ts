import type { Role } from '#shared/domain/members/role.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** A pending invitation. Times are ISO UTC. */
export type Invitation = {
  id: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
};

/** The account and role that an invitation link grants. */
export type InvitedTo = { id: string; accountId: string; accountName: string; email: string; role: Role };

/** Adds an invitation under the hex SHA-256 of its token. It replaces a pending one for the same address. */
export async function insertInvitation(
  tx: Tx,
  accountId: string,
  added: { email: string; role: Role; tokenHash: string; days: number; inviterId: string },
): Promise<Invitation> {
  await tx.query({
    name: 'replace-invitation',
    text: `update auth.invitations set status = 'canceled' where organization_id = $1 and email = lower($2) and status = 'pending'`,
    values: [accountId, added.email],
  });
  const [row] = await readRows<Invitation>(tx, {
    name: 'insert-invitation',
    text: `
      with added as (
        insert into auth.invitations (organization_id, email, role, token_hash, expires_at, inviter_id)
        values ($1, lower($2), $3, decode($4, 'hex'), now() + make_interval(days => $5::int), $6)
        returning id, email, role, inviter_id, created_at, expires_at
      )
      select a.id, a.email, a.role, u.name as invited_by, a.created_at, a.expires_at
      from added as a join auth.users as u on u.id = a.inviter_id`,
    values: [accountId, added.email, added.role, added.tokenHash, added.days, added.inviterId],
  });
  if (row === undefined) throw new Error('the inviter was removed concurrently');
  return row;
}

/** The account's pending invitations, newest first. */
export async function readInvitations(tx: Tx, accountId: string): Promise<Invitation[]> {
  return readRows<Invitation>(tx, {
    name: 'read-invitations',
    text: `
      select i.id, i.email, i.role, u.name as invited_by, i.created_at, i.expires_at
      from auth.invitations as i join auth.users as u on u.id = i.inviter_id
      where i.organization_id = $1 and i.status = 'pending' and i.expires_at > now()
      order by i.created_at desc, i.id desc`,
    values: [accountId],
  });
}

/** Cancels a pending invitation. Null when there is none with this id. */
export async function cancelInvitation(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<{ email: string; role: Role } | null> {
  const rows = await readRows<{ email: string; role: Role }>(tx, {
    name: 'cancel-invitation',
    text: `
      update auth.invitations set status = 'canceled'
      where organization_id = $1 and id = $2 and status = 'pending' and expires_at > now()
      returning email, role`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/** Cancels the pending invitations that a user sent, and those to the user's own address. Returns them. */
export async function cancelInvitationsOf(
  tx: Tx,
  accountId: string,
  { userId, email }: { userId: string; email: string },
): Promise<{ id: string; email: string; role: Role }[]> {
  return readRows<{ id: string; email: string; role: Role }>(tx, {
    name: 'cancel-invitations-of',
    text: `
      update auth.invitations set status = 'canceled'
      where organization_id = $1 and (inviter_id = $2 or email = $3) and status = 'pending'
      returning id, email, role`,
    values: [accountId, userId, email],
  });
}

/** The invitation for the token with this hex SHA-256. Null when it was used, has expired or doesn't exist. */
export async function findInvitation(tx: Tx, tokenHash: string): Promise<InvitedTo | null> {
  const rows = await readRows<InvitedTo>(tx, {
    name: 'find-invitation',
    text: `
      select i.id, i.organization_id as account_id, o.name as account_name, i.email, i.role
      from auth.invitations as i join auth.organizations as o on o.id = i.organization_id
      where i.token_hash = decode($1, 'hex') and i.status = 'pending' and i.expires_at > now()`,
    values: [tokenHash],
  });
  return rows[0] ?? null;
}

/** Returns the same and consumes the token. Of two concurrent callers, one gets the invitation. */
export async function takeInvitation(tx: Tx, tokenHash: string): Promise<InvitedTo | null> {
  const rows = await readRows<InvitedTo>(tx, {
    name: 'take-invitation',
    text: `
      update auth.invitations as i set status = 'accepted'
      from auth.organizations as o
      where i.token_hash = decode($1, 'hex') and i.status = 'pending' and i.expires_at > now() and o.id = i.organization_id
      returning i.id, i.organization_id as account_id, o.name as account_name, i.email, i.role`,
    values: [tokenHash],
  });
  return rows[0] ?? null;
}
