import { checkClaim } from '#shared/core/people/claim-installation.ts';
import type { ApiContext } from '../context.ts';
import { countPasswordTry } from '../plugins/rate-limit.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** Whether the link that makes the first user is good. */
export function checkClaimRoute(ctx: ApiContext): DashboardHandler<'checkClaim'> {
  return async ({ request, reply, body }) => {
    await countPasswordTry(ctx, request, reply);
    return { valid: await checkClaim(ctx.core, body.token) };
  };
}
