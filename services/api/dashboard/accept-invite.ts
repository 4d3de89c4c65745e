import { acceptInvite, joinByInvite } from '#shared/core/people/invites.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { ApiContext } from '../context.ts';
import { countPasswordTry } from '../plugins/rate-limit.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { authRequestOf } from '../plugins/session.ts';
import { signIn } from './sign-in.ts';

/** With a name and a password: makes the invited user and signs in. Without: who is signed in joins. */
export function acceptInviteRoute(ctx: ApiContext): DashboardHandler<'acceptInvite'> {
  return async ({ request, reply, body }) => {
    await countPasswordTry(ctx, request, reply);
    const { token, name, password } = body;
    if (name === undefined && password === undefined) {
      const person = await ctx.auth.readSession(authRequestOf(request));
      if (person === null)
        throw new LandfallError('not_signed_in', 'Sign in first, or send a name and a password to make a user.');
      const { id, ...user } = person.user;
      await joinByInvite(ctx.core, person.user, { token, requestId: request.id });
      return { user: { id: encodeTypeId('user', id), ...user } };
    }
    if (name === undefined || password === undefined) throw missing(name === undefined ? 'name' : 'password');
    const hashPassword = () => ctx.auth.hashPassword(password);
    const { email } = await acceptInvite(ctx.core, { token, name, requestId: request.id, hashPassword });
    return signIn(ctx, { request, reply }, { email, password });
  };
}

function missing(field: string): LandfallError {
  const detail = `${field} is required`;
  return new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: `/${field}`, code: 'required', detail }],
  });
}
