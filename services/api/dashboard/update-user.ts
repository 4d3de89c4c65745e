import type { ApiContext } from '../context.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { authRequestOf } from '../plugins/session.ts';

/** Changes how one is called. */
export function updateUserRoute(ctx: ApiContext): DashboardHandler<'updateUser'> {
  return async ({ request, body }) => void (await ctx.auth.post('/update-user', authRequestOf(request), body));
}
