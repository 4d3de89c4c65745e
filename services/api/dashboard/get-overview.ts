import { toWireOverview } from '#shared/contract/operations/overview-wire.ts';
import { readOverview } from '#shared/core/shipments/read-overview.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** What needs somebody today. */
export function getOverviewRoute(ctx: ApiContext): DashboardHandler<'getOverview'> {
  return async ({ request, query: { day_from: from, day_to: to } }) =>
    toWireOverview(
      await readOverview(ctx.core, callerOf(request), from === undefined || to === undefined ? null : { from, to }),
    );
}
