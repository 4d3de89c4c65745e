import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Role } from '#shared/domain/people/role.ts';
import {
  deleteMember,
  lockMembers,
  type Member,
  type Membership,
  readMembers,
  readMemberships,
  updateMemberRole,
} from '#shared/store/auth/members.ts';
import { appendAuditWithin } from '#shared/store/keys/audit.ts';
import { withAuth } from '#shared/store/with-account.ts';
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

/** Changes a member's role. Throws LandfallError `member_not_found`, or `invalid_state` for the last owner. */
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
    await appendAuditWithin(tx, accountId, {
      ...auditOf(caller, member),
      action: 'member.role_changed',
      detail: { email: member.email, from: member.role, to: change.role },
    });
    return { ...member, role: change.role };
  });
}

/**
 * Removes a member, effective immediately. Throws LandfallError `member_not_found`, or `invalid_state` for the last
 * owner.
 */
export function removeMember(ctx: CoreContext, caller: Caller, userId: string): Promise<void> {
  const { accountId } = caller;
  return withAuth(ctx.store, async (tx) => {
    const member = findMember(await lockMembers(tx, accountId), { userId, role: null });
    await deleteMember(tx, accountId, userId);
    await appendAuditWithin(tx, accountId, {
      ...auditOf(caller, member),
      action: 'member.removed',
      detail: { email: member.email, role: member.role },
    });
  });
}

function findMember(members: readonly Member[], wanted: { userId: string; role: Role | null }): Member {
  const member = members.find(({ userId }) => userId === wanted.userId);
  if (member === undefined) throw new LandfallError('member_not_found', 'Member not found.');
  const owners = members.filter(({ role }) => role === 'owner');
  if (member.role === 'owner' && wanted.role !== 'owner' && owners.length === 1) {
    throw new LandfallError(
      'invalid_state',
      'This is the last owner of the account. Make another member an owner first.',
    );
  }
  return member;
}

function auditOf(caller: Caller, member: Member) {
  return { actor: actorOf(caller), subjectType: 'user', subjectId: member.userId, requestId: caller.requestId };
}
