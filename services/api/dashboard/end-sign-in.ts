import { endSession } from '#shared/core/people/sessions.ts';
import type { ApiContext } from '../context.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { personOf } from '../plugins/session.ts';
import { idOf } from './ids.ts';

/** Ends one of one's sessions, the present one too. */
export function endSignInRoute(ctx: ApiContext): DashboardHandler<'endSignIn'> {
  return async ({ request }) => endSession(ctx.core, personOf(request).user.id, idOf(request, 'session_id'));
}
