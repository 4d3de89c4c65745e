import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Role } from '#shared/domain/members/role.ts';
import { deleteAppsOfMember } from '#shared/store/auth/apps.ts';
import { cancelInvitationsOf } from '#shared/store/auth/invitations.ts';
import { readMemberKeys, revokeMemberKeys } from '#shared/store/auth/member-keys.ts';
import {
  deleteMember,
  lockMembers,
  type Member,
  type Membership,
  readMembers,
  readMemberships,
  updateMemberRole,
} from '#shared/store/auth/members.ts';
import { deletePasswordResets } from '#shared/store/auth/password-resets.ts';
import { deleteAllSessions } from '#shared/store/auth/sessions.ts';
import { type ApiKey, lockApiKeys } from '#shared/store/keys/api-keys.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { type Tx, withAuth } from '#shared/store/with-account.ts';
import { auditEndedApps } from '../apps/end-apps.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';

/** The accounts of a user, with the user's role in each. */
export function listMemberships(ctx: CoreContext, userId: string): Promise<Membership[]> {
  return withAuth(ctx.store, (tx) => readMemberships(tx, userId));
}

/** The members of the account. */
export function listMembers(ctx: CoreContext, caller: Caller): Promise<Member[]> {
  return withAuth(ctx.store, (tx) => readMembers(tx, caller.accountId));
}

/** The valid keys that a member made. Throws LandfallError `member_not_found`. */
export function listMemberKeys(ctx: CoreContext, caller: Caller, userId: string): Promise<ApiKey[]> {
  return withAuth(ctx.store, async (tx) => {
    const members = await readMembers(tx, caller.accountId);
    if (!members.some((member) => member.userId === userId)) throw noSuchMember();
    return readMemberKeys(tx, caller.accountId, userId);
  });
}

/**
 * Changes a member's role. Invitations that a former owner sent end. Throws LandfallError `member_not_found`, or
 * `invalid_state` for the last owner.
 */
export function changeMemberRole(
  ctx: CoreContext,
  caller: Caller,
  change: { userId: string; role: Role },
): Promise<Member> {
  const { accountId } = caller;
  return withAuth(ctx.store, async (tx) => {
    const member = findMember(await lockMembers(tx, accountId), change);
    if (member.role === change.role) return member;
    await updateMemberRole(tx, accountId, change);
    await appendAudit(tx, accountId, {
      ...auditOf(caller, member),
      action: 'member.role_changed',
      detail: { email: member.email, from: member.role, to: change.role },
    });
    if (change.role !== 'owner') await endInvitations(tx, caller, member);
    return { ...member, role: change.role };
  });
}

/**
 * Removes a member, effective immediately. The pending invitations that the member sent and the apps that the member
 * connected end too and, with `revokeKeys`, the keys that the member made. A person who is a member of no other account is signed out. Throws LandfallError
 * `member_not_found`, or `invalid_state` for the last owner.
 */
export function removeMember(
  ctx: CoreContext,
  caller: Caller,
  { userId, revokeKeys }: { userId: string; revokeKeys: boolean },
): Promise<void> {
  const { accountId } = caller;
  return withAuth(ctx.store, async (tx) => {
    await lockApiKeys(tx, accountId);
    const member = findMember(await lockMembers(tx, accountId), { userId, role: null });
    await deleteMember(tx, accountId, userId);
    await appendAudit(tx, accountId, {
      ...auditOf(caller, member),
      action: 'member.removed',
      detail: { email: member.email, role: member.role },
    });
    await endInvitations(tx, caller, member);
    const apps = await deleteAppsOfMember(tx, accountId, userId);
    await auditEndedApps(tx, apps, { ...actedBy(caller), reason: 'member_removed' });
    if (revokeKeys) await endKeys(tx, caller, member);
    if ((await readMemberships(tx, userId)).length > 0) return;
    await deleteAllSessions(tx, userId);
    await deletePasswordResets(tx, userId);
  });
}

async function endInvitations(tx: Tx, caller: Caller, member: Member): Promise<void> {
  for (const { id, ...detail } of await cancelInvitationsOf(tx, caller.accountId, member)) {
    await appendAudit(tx, caller.accountId, {
      ...actedBy(caller),
      action: 'invite.withdrawn',
      subjectType: 'invite',
      subjectId: id,
      detail,
    });
  }
}

async function endKeys(tx: Tx, caller: Caller, { userId }: Member): Promise<void> {
  for (const { id, name } of await revokeMemberKeys(tx, caller.accountId, userId)) {
    await appendAudit(tx, caller.accountId, {
      ...actedBy(caller),
      action: 'api_key.revoked',
      subjectType: 'api_key',
      subjectId: id,
      detail: { name },
    });
  }
}

function findMember(members: readonly Member[], wanted: { userId: string; role: Role | null }): Member {
  const member = members.find(({ userId }) => userId === wanted.userId);
  if (member === undefined) throw noSuchMember();
  const owners = members.filter(({ role }) => role === 'owner');
  if (member.role === 'owner' && wanted.role !== 'owner' && owners.length === 1) {
    throw new LandfallError(
      'invalid_state',
      'This is the last owner of the account. Make another member an owner first.',
    );
  }
  return member;
}

function noSuchMember(): LandfallError {
  return new LandfallError('member_not_found', 'Member not found.');
}

function auditOf(caller: Caller, member: Member) {
  return { ...actedBy(caller), subjectType: 'user', subjectId: member.userId };
}

function actedBy(caller: Caller) {
  return { actor: actorOf(caller), requestId: caller.requestId };
}
