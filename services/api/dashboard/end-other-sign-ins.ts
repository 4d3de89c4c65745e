import type { ApiContext } from '../context.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { authRequestOf } from '../plugins/session.ts';

/** Ends all of one's sessions but the present one. */
export function endOtherSignInsRoute(ctx: ApiContext): DashboardHandler<'endOtherSignIns'> {
  return async ({ request }) => void (await ctx.auth.post('/revoke-other-sessions', authRequestOf(request), {}));
}
