import { createYield } from '#shared/async/yield-event-loop.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Warning } from '#shared/domain/record/shipment.ts';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import { type RowError, toRowError } from '#shared/domain/registration/storable-error.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { retryLostRaces } from '../retry-lost-races.ts';
import { findAnswers, keepAnswers } from './idempotency.ts';
import { prepareRegistration } from './prepare-registration.ts';
import { enqueueFirstRefreshes, type FirstRefresh, type RowResult, registerRows } from './register-rows.ts';

/** `shipmentId` is the public id. `warnings` are missing from answers that an older version kept. */
export type BatchResult =
  | { outcome: 'created' | 'existing'; shipmentId: string; warnings?: Warning[] }
  | { outcome: 'failed'; error: RowError };

type Registered = { replayed: boolean; results: BatchResult[]; firstRefreshes: FirstRefresh[] };

/**
 * Registers the rows of one request in one transaction, together with the results that its Idempotency-Key keeps. A row
 * that fails doesn't affect the others. Throws LandfallError `idempotency_in_progress`, `idempotency_mismatch`,
 * `unavailable`.
 */
export async function registerBatch(
  ctx: CoreContext,
  caller: Caller,
  sent: readonly SentRegistration[],
): Promise<{ replayed: boolean; results: BatchResult[] }> {
  const traceparent = ctx.traceparent();
  const yieldIfDue = createYield();
  const rows: { prepared: ReturnType<typeof prepareRegistration>; traceparent: string | null }[] = [];
  for (const row of sent) {
    rows.push({ prepared: prepareRegistration(caller, row), traceparent });
    await yieldIfDue();
  }
  const { replayed, results, firstRefreshes } = await retryLostRaces(() =>
    withAccount(ctx.store, caller.accountId, async (tx): Promise<Registered> => {
      const [earlier] = await findAnswers<{ results: BatchResult[] }>(tx, [caller]);
      if (earlier instanceof LandfallError) throw earlier;
      if (earlier) return { replayed: true, results: earlier.results, firstRefreshes: [] };
      const registered = await registerRows(tx, { ctx, caller, rows, hurried: false });
      const results = registered.results.map(toBatchResult);
      await keepAnswers(tx, [{ caller }], [{ results }]);
      return { replayed: false, results, firstRefreshes: registered.firstRefreshes };
    }),
  );
  await enqueueFirstRefreshes(ctx, { accountId: caller.accountId, hurried: false, refreshes: firstRefreshes });
  return { replayed, results };
}

function toBatchResult(result: RowResult): BatchResult {
  if (result.outcome === 'failed') return { outcome: 'failed', error: toRowError(result.error) };
  const { outcome, warnings } = result;
  return { outcome, shipmentId: encodeTypeId('shp', result.shipmentId), warnings };
}
