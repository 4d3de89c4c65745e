import { withdrawInvite } from '#shared/core/people/invites.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { idOf } from './ids.ts';

/** Ends an invitation: its link does not work any more. */
export function withdrawInviteRoute(ctx: ApiContext): DashboardHandler<'withdrawInvite'> {
  return async ({ request }) => withdrawInvite(ctx.core, callerOf(request), idOf(request, 'invite_id'));
}
