import { limitsOf } from '#shared/domain/limits.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** Requests a minute of one key of the account, and of one person. */
export function getLimitsRoute(): DashboardHandler<'getLimits'> {
  return async ({ request }) => {
    const { read, write, batch, mcp } = request.limits ?? limitsOf({});
    return { read, write, batch, mcp };
  };
}
