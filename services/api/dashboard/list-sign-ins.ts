import { toWireSignIns } from '#shared/contract/people/session-wire.ts';
import { listSessions } from '#shared/core/people/sessions.ts';
import type { ApiContext } from '../context.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { personOf } from '../plugins/session.ts';

/** Where one is signed in. */
export function listSignInsRoute(ctx: ApiContext): DashboardHandler<'listSignIns'> {
  return async ({ request }) => {
    const { user, sessionId } = personOf(request);
    return toWireSignIns(await listSessions(ctx.core, user.id), sessionId);
  };
}
