import { removeMember } from '#shared/core/people/members.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { idOf } from './ids.ts';

/** Takes somebody out of the account. */
export function removeMemberRoute(ctx: ApiContext): DashboardHandler<'removeMember'> {
  return async ({ request }) => removeMember(ctx.core, callerOf(request), idOf(request, 'member_id'));
}
