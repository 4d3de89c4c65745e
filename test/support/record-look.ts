import type { CoreContext } from '#shared/core/core-context.ts';
import { recordAlone } from '#shared/core/record-looks.ts';
import { prepareLook, type RecordedLook } from '#shared/core/taken-look.ts';
import type { RefreshSubject } from '#shared/domain/refresh.ts';
import type { LookResult } from '#shared/domain/shipment.ts';

/**
 * Records what a look at the carrier gave, in one transaction: events, journey, status change, change rows, polling and the look itself. A look
 * without news costs one update of the polling row and the look. A look that cannot be recorded is recorded as an `internal_error`, so that
 * a poisonous shipment backs off instead of coming back at once. Throws LandfallError `unavailable` when the database is away.
 */
export async function recordLook(
  ctx: CoreContext,
  subject: RefreshSubject,
  look: LookResult,
  traceId: string | null,
  { budgetPressure = 1 }: { budgetPressure?: number } = {},
): Promise<RecordedLook> {
  return recordAlone(ctx, prepareLook(ctx, { subject, look, traceId, traceparent: ctx.traceparent(), budgetPressure }));
}
