import { LandfallError } from '#shared/domain/errors.ts';
import { passwordResetHours } from '#shared/domain/members/role.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { findPasswordReset, replacePasswordReset, takePasswordReset } from '#shared/store/auth/password-resets.ts';
import { deleteAllSessions } from '#shared/store/auth/sessions.ts';
import { findUserByEmail, type User, writePassword } from '#shared/store/auth/users.ts';
import { withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { linkTokenHash, newLinkToken } from '../secrets/new-secret.ts';
import { auditUser } from './audit-user.ts';
import { linkNotValid, type NewUserInput } from './claim-installation.ts';

/**
 * A token for choosing a new password, which replaces the previous token. Until it is used the old password and the
 * sessions keep working. Throws LandfallError `member_not_found` when no user has this address.
 */
export async function makePasswordReset(ctx: CoreContext, email: string, requestId: string): Promise<string> {
  const { token, tokenHash } = newLinkToken();
  return withAuth(ctx.store, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (user === null) throw new LandfallError('member_not_found', `No user has the email ${email}.`);
    await replacePasswordReset(tx, { userId: user.id, tokenHash, hours: passwordResetHours });
    await auditUser(tx, user, { actor: 'system', action: 'password_reset.created', requestId });
    return token;
  });
}

/** The user whose password the link resets. Throws LandfallError `link_not_valid`. */
export async function checkPasswordReset(ctx: CoreContext, token: string): Promise<User> {
  const tokenHash = linkTokenHash(token);
  const user = tokenHash === null ? null : await withAuth(ctx.store, (tx) => findPasswordReset(tx, tokenHash));
  if (user === null) throw linkNotValid();
  return user;
}

/**
 * Sets a new password for the user of the link and ends all of the user's sessions. Throws LandfallError
 * `link_not_valid`.
 */
export async function resetPassword(
  ctx: CoreContext,
  input: Pick<NewUserInput, 'token' | 'requestId' | 'hashPassword'>,
): Promise<User> {
  const user = await checkPasswordReset(ctx, input.token);
  const passwordHash = await input.hashPassword([user.name, user.email]);
  const tokenHash = linkTokenHash(input.token) ?? '';
  await withAuth(ctx.store, async (tx) => {
    if (!(await takePasswordReset(tx, tokenHash))) throw linkNotValid();
    await writePassword(tx, user.id, passwordHash);
    await deleteAllSessions(tx, user.id);
    await auditUser(tx, user, {
      actor: encodeTypeId('user', user.id),
      action: 'password_reset.used',
      requestId: input.requestId,
    });
  });
  return user;
}
