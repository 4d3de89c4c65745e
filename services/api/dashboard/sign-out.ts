import type { ApiContext } from '../context.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { authRequestOf } from '../plugins/session.ts';

/** Ends the present session; without one there is nothing to end. */
export function signOutRoute(ctx: ApiContext): DashboardHandler<'signOut'> {
  return async ({ request, reply }) => {
    const { setCookies } = await ctx.auth.post('/sign-out', authRequestOf(request), {});
    for (const cookie of setCookies) reply.header('set-cookie', cookie);
  };
}
