import { toWireSession } from '#shared/contract/people/session-wire.ts';
import { isOperator } from '#shared/core/people/member-caller.ts';
import { listMemberships } from '#shared/core/people/members.ts';
import type { ApiContext } from '../context.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { personOf } from '../plugins/session.ts';

/** Who is signed in, and in which accounts. */
export function getSessionRoute(ctx: ApiContext): DashboardHandler<'getSession'> {
  return async ({ request }) => {
    const { user } = personOf(request);
    const memberships = await listMemberships(ctx.core, user.id);
    const { version, simulated } = ctx.settings;
    const installation = { version, simulated, publicBaseUrl: ctx.core.settings.publicBaseUrl };
    return toWireSession({ user, memberships, isOperator: isOperator(memberships), installation });
  };
}
