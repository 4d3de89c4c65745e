import { toWireInvite } from '#shared/contract/people/people-wire.ts';
import { inviteMember } from '#shared/core/people/invites.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { personOf } from '../plugins/session.ts';

/** Invites somebody by a link, shown this one time: there may be no mail. The token stands behind `#`, which no log and no proxy sees. */
export function createInviteRoute(ctx: ApiContext): DashboardHandler<'createInvite'> {
  return async ({ request, body }) => {
    const caller = { ...callerOf(request), userId: personOf(request).user.id };
    const { invite, token } = await inviteMember(ctx.core, caller, body);
    const origin = request.headers.origin ?? ctx.core.settings.publicBaseUrl;
    return { ...toWireInvite(invite), link: `${origin}/invite#token=${token}` };
  };
}
