import { LandfallError } from '#shared/domain/errors.ts';
import { operatorsAccount } from '#shared/domain/members/role.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { isClaim, replaceClaim, takeClaim } from '#shared/store/auth/claim.ts';
import { ensureOrganization, hasMembers, insertMember } from '#shared/store/auth/members.ts';
import { insertUser, type User } from '#shared/store/auth/users.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { ensureFirstAccount } from '../keys/ensure-initial-access.ts';
import { linkTokenHash, newLinkToken } from '../secrets/new-secret.ts';

/**
 * `hashPassword` is only called once the token is known to be valid: hashing is slow on purpose. It gets the words that
 * the user's password must not be made of.
 */
export type NewUserInput = {
  token: string;
  name: string;
  email: string;
  requestId: string;
  hashPassword: (words: readonly string[]) => Promise<string>;
};

/** A token that creates the first user and replaces the previous token. Null: the installation has a user already. */
export async function makeClaimToken(ctx: CoreContext): Promise<string | null> {
  const { accountId } = await ensureFirstAccount(ctx);
  const { token, tokenHash } = newLinkToken();
  return withAuth(ctx.store, async (tx) => {
    if (await hasMembers(tx, accountId)) return null;
    await replaceClaim(tx, tokenHash);
    return token;
  });
}

/** True for the token that claims the installation. */
export async function checkClaim(ctx: CoreContext, token: string): Promise<boolean> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === null) return false;
  const { accountId } = await ensureFirstAccount(ctx);
  return withAuth(ctx.store, async (tx) => (await isClaim(tx, tokenHash)) && !(await hasMembers(tx, accountId)));
}

/**
 * Creates the first user, owner of the first account. Throws LandfallError `link_not_valid`, also for the second of two
 * concurrent claims.
 */
export async function claimInstallation(ctx: CoreContext, input: NewUserInput): Promise<User> {
  if (!(await checkClaim(ctx, input.token))) throw linkNotValid();
  const tokenHash = linkTokenHash(input.token) ?? '';
  const passwordHash = await input.hashPassword([input.name, input.email]);
  const { accountId } = await ensureFirstAccount(ctx);
  return withAuth(ctx.store, async (tx) => {
    if (!(await takeClaim(tx, tokenHash)) || (await hasMembers(tx, accountId))) throw linkNotValid();
    const user = await insertUser(tx, { name: input.name, email: input.email, passwordHash });
    if (user === null)
      throw new LandfallError('invalid_state', 'An account with this email already exists. Sign in instead.');
    await ensureOrganization(tx, { accountId, name: operatorsAccount });
    await insertMember(tx, accountId, { userId: user.id, role: 'owner' });
    await appendAudit(tx, accountId, {
      actor: encodeTypeId('user', user.id),
      action: 'installation.claimed',
      subjectType: 'user',
      subjectId: user.id,
      requestId: input.requestId,
      detail: { email: user.email },
    });
    return user;
  });
}

export function linkNotValid(): LandfallError {
  return new LandfallError(
    'link_not_valid',
    'This link was already used, has expired or is incomplete. Ask for a new one.',
  );
}
