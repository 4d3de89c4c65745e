import { claimInstallation } from '#shared/core/people/claim-installation.ts';
import type { ApiContext } from '../context.ts';
import { countPasswordTry } from '../plugins/rate-limit.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { signIn } from './sign-in.ts';

/** Makes the first user, owner of the first account, and signs in. */
export function claimRoute(ctx: ApiContext): DashboardHandler<'claim'> {
  return async ({ request, reply, body }) => {
    await countPasswordTry(ctx, request, reply);
    const { token, name, email, password } = body;
    const hashPassword = () => ctx.auth.hashPassword(password);
    await claimInstallation(ctx.core, { token, name, email, requestId: request.id, hashPassword });
    return signIn(ctx, { request, reply }, { email, password });
  };
}
