import { isTraceId, keptTraceHours, type TraceFilter, type TraceSummary } from '#shared/domain/installation/trace.ts';
import { type Waterfall, waterfallOf } from '#shared/domain/installation/waterfall.ts';
import { keepTracePartitions } from '#shared/store/system/insert-spans.ts';
import { findTraces as findStoredTraces, readTraceSpans } from '#shared/store/system/read-traces.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Traces of all accounts, for operators. */
export async function findTraces(ctx: CoreContext, filter: TraceFilter): Promise<TraceSummary[]> {
  return withSystem(ctx.store, (tx) => findStoredTraces(tx, filter));
}

/** One trace, for operators. Null: it isn't stored (any more), or the text isn't a trace id. */
export async function readTrace(ctx: CoreContext, traceId: string): Promise<Waterfall | null> {
  if (!isTraceId(traceId)) return null;
  return waterfallOf(await withSystem(ctx.store, (tx) => readTraceSpans(tx, traceId)));
}

const daysAhead = 2;

/**
 * Creates the trace partitions of the coming days and drops the old ones. Any number of processes may run it at once.
 */
export async function keepTraces(ctx: CoreContext): Promise<{ changed: number }> {
  return withSystem(ctx.store, (tx) => keepTracePartitions(tx, { daysAhead, keptHours: keptTraceHours }));
}
