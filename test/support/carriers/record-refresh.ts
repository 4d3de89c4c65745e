import type { CoreContext } from '#shared/core/core-context.ts';
import { prepareRefresh } from '#shared/core/tracking/prepare-refresh.ts';
import { type RecordedRefresh, recordRefreshes } from '#shared/core/tracking/record-refreshes.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';

/** Records the result of a fetch in a transaction of its own, like a worker. */
export async function recordRefresh(
  ctx: CoreContext,
  subject: RefreshSubject,
  result: FetchResult,
  traceId: string | null,
  { budgetPressure = 1 }: { budgetPressure?: number } = {},
): Promise<RecordedRefresh> {
  const input = {
    subject,
    result,
    traceId,
    traceKept: ctx.keepsTrace(),
    traceparent: ctx.traceparent(),
    budgetPressure,
  };
  const [recorded] = recordRefreshes(ctx, [prepareRefresh(ctx, input)]);
  if (recorded === undefined) throw new Error('recordRefreshes returned nothing');
  return recorded;
}
