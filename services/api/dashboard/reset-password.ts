import { resetPassword } from '#shared/core/people/reset-password.ts';
import type { ApiContext } from '../context.ts';
import { countPasswordTry } from '../plugins/rate-limit.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { signIn } from './sign-in.ts';

/** Gives the person of the link a new password, ends their sessions and signs in. */
export function resetPasswordRoute(ctx: ApiContext): DashboardHandler<'resetPassword'> {
  return async ({ request, reply, body }) => {
    await countPasswordTry(ctx, request, reply);
    const { token, password } = body;
    const hashPassword = () => ctx.auth.hashPassword(password);
    const { email } = await resetPassword(ctx.core, { token, requestId: request.id, hashPassword });
    return signIn(ctx, { request, reply }, { email, password });
  };
}
