import { toWireInvite } from '#shared/contract/people/people-wire.ts';
import { listInvites } from '#shared/core/people/invites.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** The invitations that nobody has accepted yet. */
export function listInvitesRoute(ctx: ApiContext): DashboardHandler<'listInvites'> {
  return async ({ request }) => ({ data: (await listInvites(ctx.core, callerOf(request))).map(toWireInvite) });
}
