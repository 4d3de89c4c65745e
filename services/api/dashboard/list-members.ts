import { toWireMember } from '#shared/contract/people/people-wire.ts';
import { listMembers } from '#shared/core/people/members.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** The people of the account. */
export function listMembersRoute(ctx: ApiContext): DashboardHandler<'listMembers'> {
  return async ({ request }) => {
    const caller = callerOf(request);
    const members = await listMembers(ctx.core, caller);
    return { data: members.map((member) => toWireMember(member, caller.userId)) };
  };
}
