import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type Limits, limitsOf } from '#shared/domain/keys/limits.ts';
import { type Role, scopesOfRole } from '#shared/domain/members/role.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import type { Membership } from '#shared/store/auth/members.ts';
import { readAccountLimits } from '#shared/store/system/accounts.ts';
import type { CoreContext } from '../core-context.ts';
import { listMemberships } from './members.ts';

/** A user in an account. */
export type Member = { caller: Caller; role: Role; limits: Limits };

/** Account that a signed-in request names by its public id, and the mode of its shipments. */
export type Choice = { account: string | null; test: boolean; requestId: string };

/** True for an owner of the first account, who runs the installation. */
export function isOperator(memberships: readonly Membership[]): boolean {
  return memberships.some(({ runsInstallation, role }) => runsInstallation && role === 'owner');
}

/**
 * The user as a caller in the account that the request names, or in the user's only one. Read with each request, so
 * that removal takes effect immediately. Throws LandfallError `account_not_found`, or `validation_failed` when the
 * account must be named.
 */
export async function memberCaller(
  ctx: CoreContext,
  userId: string,
  choice: Choice,
): Promise<Member & { memberships: Membership[] }> {
  const memberships = await listMemberships(ctx, userId);
  const membership = chosen(memberships, choice.account);
  const { accountId, role } = membership;
  const limits = limitsOf(await readAccountLimits(ctx.store, accountId));
  const { test, requestId } = choice;
  const caller: Caller = {
    accountId,
    keyId: null,
    userId,
    scopes: scopesOfRole[role],
    test,
    requestId,
    idempotency: null,
  };
  return { caller, role, limits, memberships };
}

function chosen(memberships: readonly Membership[], account: string | null): Membership {
  if (account === null) {
    const [only, another] = memberships;
    if (only === undefined) throw new LandfallError('account_not_found', 'You are not a member of any account.');
    if (another === undefined) return only;
    throw new LandfallError(
      'validation_failed',
      'You are a member of several accounts. Name one in the landfall-account header.',
    );
  }
  const accountId = decodeTypeId('acc', account);
  const found = memberships.find((membership) => membership.accountId === accountId);
  if (found === undefined) throw new LandfallError('account_not_found', 'Account not found.');
  return found;
}
