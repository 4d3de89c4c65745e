import type { ApiContext } from '../context.ts';
import { countPasswordTry } from '../plugins/rate-limit.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { authRequestOf } from '../plugins/session.ts';

/** Changes one's password; with `revokeOtherSessions` the others end, and this one gets a new cookie. */
export function changePasswordRoute(ctx: ApiContext): DashboardHandler<'changePassword'> {
  return async ({ request, reply, body }) => {
    await countPasswordTry(ctx, request, reply);
    const { setCookies } = await ctx.auth.post('/change-password', authRequestOf(request), body);
    for (const cookie of setCookies) reply.header('set-cookie', cookie);
  };
}
