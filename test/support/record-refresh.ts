import type { CoreContext } from '#shared/core/core-context.ts';
import { prepareRefresh, type RecordedRefresh } from '#shared/core/tracking/fetched-refresh.ts';
import { recordAlone } from '#shared/core/tracking/record-refreshes.ts';
import type { FetchResult } from '#shared/domain/shipments/shipment.ts';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';

/**
 * Records what a refresh gave, in one transaction: events, journey, status change, change rows, polling and the refresh itself. A refresh
 * without news costs one update of the polling row and the refresh. A refresh that cannot be recorded is recorded as an `internal_error`, so that
 * a poisonous shipment backs off instead of coming back at once. Throws LandfallError `unavailable` when the database is away.
 */
export async function recordRefresh(
  ctx: CoreContext,
  subject: RefreshSubject,
  refresh: FetchResult,
  traceId: string | null,
  { budgetPressure = 1 }: { budgetPressure?: number } = {},
): Promise<RecordedRefresh> {
  return recordAlone(
    ctx,
    prepareRefresh(ctx, { subject, refresh, traceId, traceparent: ctx.traceparent(), budgetPressure }),
  );
}
