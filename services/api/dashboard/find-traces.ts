import { readFindTracesQuery } from '#shared/contract/operations/find-traces-query.ts';
import { toWireTraceSummary } from '#shared/contract/operations/trace-wire.ts';
import { findTraces } from '#shared/core/operations/find-traces.ts';
import type { ApiContext } from '../context.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** What was traced, of every account. */
export function findTracesRoute(ctx: ApiContext): DashboardHandler<'findTraces'> {
  return async ({ request }) => {
    const filter = readFindTracesQuery(Object(request.query));
    return { data: (await findTraces(ctx.core, filter)).map(toWireTraceSummary) };
  };
}
