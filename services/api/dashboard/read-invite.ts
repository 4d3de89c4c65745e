import { readInvite } from '#shared/core/people/invites.ts';
import type { ApiContext } from '../context.ts';
import { countPasswordTry } from '../plugins/rate-limit.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** What a link invites to. */
export function readInviteRoute(ctx: ApiContext): DashboardHandler<'readInvite'> {
  return async ({ request, reply, body }) => {
    await countPasswordTry(ctx, request, reply);
    const { accountName, email, role, known } = await readInvite(ctx.core, body.token);
    return { account_name: accountName, email, role, known };
  };
}
