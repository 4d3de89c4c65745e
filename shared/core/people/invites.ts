import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { inviteDays, type Role } from '#shared/domain/people/role.ts';
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
import { appendAuditWithin } from '#shared/store/keys/audit.ts';
import { type Tx, withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { linkTokenHash, newLinkToken } from '../keys/new-secret.ts';
import { linkNotValid, type NewUserInput } from './claim-installation.ts';

/** The account's open invitations. */
export function listInvites(ctx: CoreContext, caller: Caller): Promise<Invitation[]> {
  return withAuth(ctx.store, (tx) => readInvitations(tx, caller.accountId));
}

/**
 * Invites an address for a week; an open invitation of the same address ends. `token` is stored nowhere and never shown again. Throws
 * LandfallError `invalid_state` for somebody who is a member already.
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
    if (members.some(({ email }) => email === wanted.email.toLowerCase())) {
      throw new LandfallError('invalid_state', `${wanted.email} is a member of the account already.`);
    }
    const added = await insertInvitation(tx, accountId, {
      ...wanted,
      tokenHash,
      days: inviteDays,
      inviterId: caller.userId,
    });
    await appendAuditWithin(tx, accountId, {
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

/** Ends an open invitation: its link does not work any more. Throws LandfallError `invite_not_found`. */
export function withdrawInvite(ctx: CoreContext, caller: Caller, id: string): Promise<void> {
  return withAuth(ctx.store, async (tx) => {
    const ended = await cancelInvitation(tx, caller.accountId, id);
    if (ended === null) throw new LandfallError('invite_not_found', 'The account has no open invitation with this id.');
    await appendAuditWithin(tx, caller.accountId, {
      actor: actorOf(caller),
      action: 'invite.withdrawn',
      subjectType: 'invite',
      subjectId: id,
      requestId: caller.requestId,
      detail: ended,
    });
  });
}

/** What a link invites to; `known`: somebody signs in with that address already. Throws LandfallError `link_not_valid`. */
export async function readInvite(ctx: CoreContext, token: string): Promise<InvitedTo & { known: boolean }> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === null) throw linkNotValid();
  return withAuth(ctx.store, async (tx) => {
    const invited = await findInvitation(tx, tokenHash);
    if (invited === null) throw linkNotValid();
    return { ...invited, known: (await findUserByEmail(tx, invited.email)) !== null };
  });
}

/**
 * Makes the invited user, who joins the account. Throws LandfallError `link_not_valid`; `invalid_state` when somebody signs in with the
 * address already, who joins by signing in first.
 */
export async function acceptInvite(ctx: CoreContext, input: Omit<NewUserInput, 'email'>): Promise<User> {
  const invited = await readInvite(ctx, input.token);
  if (invited.known) throw mustSignIn(invited.email);
  const passwordHash = await input.hashPassword();
  return withAuth(ctx.store, async (tx) => {
    const { email } = invited;
    const user = await insertUser(tx, { name: input.name, email, passwordHash });
    if (user === null) throw mustSignIn(email);
    await join(tx, user, { ...input, accountId: invited.accountId });
    return user;
  });
}

/** Lets somebody who is signed in join. Throws LandfallError `link_not_valid`, `invalid_state` when the link is for another address. */
export async function joinByInvite(
  ctx: CoreContext,
  user: User,
  input: { token: string; requestId: string },
): Promise<void> {
  const invited = await readInvite(ctx, input.token);
  if (invited.email !== user.email) {
    throw new LandfallError(
      'invalid_state',
      `This invitation is for ${invited.email}, and you are signed in as ${user.email}; sign out first.`,
    );
  }
  await withAuth(ctx.store, (tx) => join(tx, user, { ...input, accountId: invited.accountId }));
}

type Joining = { accountId: string; token: string; requestId: string };

async function join(tx: Tx, user: User, { accountId, token, requestId }: Joining): Promise<void> {
  // Whoever invites the same address at this moment either ends this link first, or finds a member: no second link outlives the joining.
  await lockMembers(tx, accountId);
  const invited = await takeInvitation(tx, linkTokenHash(token) ?? '');
  if (invited === null) throw linkNotValid();
  await insertMember(tx, invited.accountId, { userId: user.id, role: invited.role });
  await appendAuditWithin(tx, invited.accountId, {
    actor: encodeTypeId('user', user.id),
    action: 'invite.accepted',
    subjectType: 'invite',
    subjectId: invited.id,
    requestId,
    detail: { email: invited.email, role: invited.role },
  });
}

function mustSignIn(email: string): LandfallError {
  return new LandfallError('invalid_state', `${email} has a user already: sign in, then open this link again to join.`);
}
