import { toWireMember } from '#shared/contract/people/people-wire.ts';
import { changeMemberRole } from '#shared/core/people/members.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { idOf } from './ids.ts';

/** Gives a member another role. */
export function changeMemberRoute(ctx: ApiContext): DashboardHandler<'changeMember'> {
  return async ({ request, body }) => {
    const caller = callerOf(request);
    const member = await changeMemberRole(ctx.core, caller, { userId: idOf(request, 'member_id'), role: body.role });
    return toWireMember(member, caller.userId);
  };
}
