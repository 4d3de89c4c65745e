import type { TraceFilter, TraceSummary } from '#shared/domain/operations/trace.ts';
import { findTraces as findStoredTraces } from '#shared/store/system/read-traces.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Traces of all accounts, for operators. */
export async function findTraces(ctx: CoreContext, filter: TraceFilter): Promise<TraceSummary[]> {
  return withSystem(ctx.store, (tx) => findStoredTraces(tx, filter));
}
