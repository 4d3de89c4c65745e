import { wipeDemonstration } from '#shared/core/operations/wipe-demonstration.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** Archives the shipments that a simulated installation began with. */
export function wipeDemoRoute(ctx: ApiContext): DashboardHandler<'wipeDemo'> {
  return async ({ request }) => {
    if (!ctx.settings.simulated)
      throw new LandfallError('invalid_state', 'Nothing is simulated here: there is no demonstration to remove.');
    return { archived: await wipeDemonstration(ctx.core, callerOf(request)) };
  };
}
