import { endSession } from '#shared/core/people/sessions.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { authRequestOf } from '../plugins/session.ts';

/** Ends the present session; without one there is nothing to end. */
export function signOutRoute(ctx: ApiContext): DashboardHandler<'signOut'> {
  return async ({ request, reply }) => {
    const asked = authRequestOf(request);
    // better-auth says that it is done also when the database was away, and the session would live on.
    const person = await ctx.auth.readSession(asked);
    if (person !== null) await endSession(ctx.core, person.user.id, person.sessionId).catch(unlessEnded);
    const { setCookies } = await ctx.auth.post('/sign-out', asked, {});
    for (const cookie of setCookies) reply.header('set-cookie', cookie);
  };
}

/** Of two at the same time one ends it. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof LandfallError && error.code === 'session_not_found')) throw error;
}
