import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { inviteDays, type Role } from '#shared/domain/members/role.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import {
  cancelInvitation,
  findInvitation,
  type Invitation,
  type InvitedTo,
  insertInvitation,
  readInvitations,
  takeInvitation,
} from '#shared/store/auth/invitations.ts';
import { insertMember, lockMembers } from '#shared/store/auth/members.ts';
import { findUserByEmail, insertUser, type User } from '#shared/store/auth/users.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { type Tx, withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf, noLongerMember } from '../keys/key-permissions.ts';
import { linkTokenHash, newLinkToken } from '../secrets/new-secret.ts';
import { linkNotValid, type NewUserInput } from './claim-installation.ts';

/** The account's open invitations. */
export function listInvites(ctx: CoreContext, caller: Caller): Promise<Invitation[]> {
  return withAuth(ctx.store, (tx) => readInvitations(tx, caller.accountId));
}

/**
 * Invites an address for a week and ends any open invitation of the same address. `token` isn't stored and can't be
 * shown again. Throws LandfallError `invalid_state` for a member, or `account_not_found` when the inviter is no longer
 * an owner.
 */
export async function inviteMember(
  ctx: CoreContext,
  caller: Caller & { userId: string },
  wanted: { email: string; role: Role },
): Promise<{ invite: Invitation; token: string }> {
  const { accountId } = caller;
  const { token, tokenHash } = newLinkToken();
  const invite = await withAuth(ctx.store, async (tx) => {
    const members = await lockMembers(tx, accountId);
    // The inviter may have been removed while this request was running.
    if (!members.some(({ userId, role }) => userId === caller.userId && role === 'owner')) throw noLongerMember();
    if (members.some(({ email }) => email === wanted.email.toLowerCase())) {
      throw new LandfallError('invalid_state', `${wanted.email} is already a member of this account.`);
    }
    const added = await insertInvitation(tx, accountId, {
      ...wanted,
      tokenHash,
      days: inviteDays,
      inviterId: caller.userId,
    });
    await appendAudit(tx, accountId, {
      actor: actorOf(caller),
      action: 'invite.created',
      subjectType: 'invite',
      subjectId: added.id,
      requestId: caller.requestId,
      detail: { email: added.email, role: added.role },
    });
    return added;
  });
  return { invite, token };
}

/** Withdraws an open invitation; its link stops working. Throws LandfallError `invite_not_found`. */
export function withdrawInvite(ctx: CoreContext, caller: Caller, id: string): Promise<void> {
  return withAuth(ctx.store, async (tx) => {
    const ended = await cancelInvitation(tx, caller.accountId, id);
    if (ended === null) throw new LandfallError('invite_not_found', 'Invitation not found.');
    await appendAudit(tx, caller.accountId, {
      actor: actorOf(caller),
      action: 'invite.withdrawn',
      subjectType: 'invite',
      subjectId: id,
      requestId: caller.requestId,
      detail: ended,
    });
  });
}

/**
 * Reads the invitation of a link, without revealing whether a user with that address exists: the invited account's
 * owner has the link too, and other accounts are none of its business. Throws LandfallError `link_not_valid`.
 */
export async function readInvite(ctx: CoreContext, token: string): Promise<InvitedTo> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === null) throw linkNotValid();
  return withAuth(ctx.store, async (tx) => {
    const invited = await findInvitation(tx, tokenHash);
    if (invited === null) throw linkNotValid();
    return invited;
  });
}

/**
 * Creates the invited user, who joins the account. `isNew` false: a user with the address exists, who joins by signing
 * in. Throws LandfallError `link_not_valid`.
 */
export async function acceptInvite(
  ctx: CoreContext,
  input: Omit<NewUserInput, 'email'>,
): Promise<{ email: string; isNew: boolean }> {
  const invited = await readInvite(ctx, input.token);
  const known = await withAuth(ctx.store, (tx) => findUserByEmail(tx, invited.email));
  if (known !== null) return { email: known.email, isNew: false };
  const passwordHash = await input.hashPassword([input.name, invited.email]);
  return withAuth(ctx.store, async (tx) => {
    const { email } = invited;
    const user = await insertUser(tx, { name: input.name, email, passwordHash });
    if (user === null) return { email, isNew: false };
    await join(tx, user, { ...input, accountId: invited.accountId });
    return { email, isNew: true };
  });
}

/**
 * Lets a signed-in user join. Throws LandfallError `link_not_valid`, or `invalid_state` for a link to another address.
 */
export async function joinByInvite(
  ctx: CoreContext,
  user: User,
  input: { token: string; requestId: string },
): Promise<void> {
  const invited = await readInvite(ctx, input.token);
  if (invited.email !== user.email) {
    throw new LandfallError(
      'invalid_state',
      `This invitation is for ${invited.email}, but you are signed in as ${user.email}. Sign out first.`,
    );
  }
  await withAuth(ctx.store, (tx) => join(tx, user, { ...input, accountId: invited.accountId }));
}

type Joining = { accountId: string; token: string; requestId: string };

async function join(tx: Tx, user: User, { accountId, token, requestId }: Joining): Promise<void> {
  // A concurrent invitation of the same address either ends this link first or finds a member, so that no second link
  // outlives the joining.
  await lockMembers(tx, accountId);
  const invited = await takeInvitation(tx, linkTokenHash(token) ?? '');
  if (invited === null) throw linkNotValid();
  await insertMember(tx, invited.accountId, { userId: user.id, role: invited.role });
  await appendAudit(tx, invited.accountId, {
    actor: encodeTypeId('user', user.id),
    action: 'invite.accepted',
    subjectType: 'invite',
    subjectId: invited.id,
    requestId,
    detail: { email: invited.email, role: invited.role },
  });
}
