import { isTraceId } from '#shared/domain/operations/trace.ts';
import { type Waterfall, waterfallOf } from '#shared/domain/operations/waterfall.ts';
import { readTraceSpans } from '#shared/store/system/read-traces.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** One trace, for operators; null when it is not kept (any more), or when the text is no trace id. */
export async function readTrace(ctx: CoreContext, traceId: string): Promise<Waterfall | null> {
  if (!isTraceId(traceId)) return null;
  return waterfallOf(await withSystem(ctx.store, (tx) => readTraceSpans(tx, traceId)));
}
