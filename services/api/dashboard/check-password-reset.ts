import { checkPasswordReset } from '#shared/core/people/reset-password.ts';
import type { ApiContext } from '../context.ts';
import { countPasswordTry } from '../plugins/rate-limit.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** Whose password a link resets. */
export function checkPasswordResetRoute(ctx: ApiContext): DashboardHandler<'checkPasswordReset'> {
  return async ({ request, reply, body }) => {
    await countPasswordTry(ctx, request, reply);
    const { name, email } = await checkPasswordReset(ctx.core, body.token);
    return { name, email };
  };
}
