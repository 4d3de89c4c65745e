import { toWireTrace } from '#shared/contract/operations/trace-wire.ts';
import { readTrace } from '#shared/core/operations/find-traces.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** One trace. */
export function getTraceRoute(ctx: ApiContext): DashboardHandler<'getTrace'> {
  return async ({ request }) => {
    const { trace_id: traceId } = request.params as { trace_id: string };
    const trace = await readTrace(ctx.core, traceId);
    if (trace === null) throw new LandfallError('route_not_found', 'This trace is not kept, or not any more.');
    return toWireTrace(trace);
  };
}
