import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type RowError, toRowError } from '#shared/domain/registration/storable-error.ts';
import type { Registration } from '#shared/domain/shipments/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { answerOnce } from './answer-once.ts';
import { enqueueFirstRefreshes } from './enqueue-first-refreshes.ts';
import { type RowResult, registerManyWithin } from './register-many.ts';
import { retryLostRaces } from './retry-lost-races.ts';

/** A row of a list that was read: a registration, or why it is none. */
export type ReadRow = Registration | LandfallError;

/** `shipmentId` is the public id. */
export type BatchResult =
  | { outcome: 'created' | 'existing'; shipmentId: string }
  | { outcome: 'failed'; error: RowError };

/**
 * Registers the rows of one batch in one transaction with the result that is kept under the Idempotency-Key; a row that fails does so alone.
 * Throws LandfallError `idempotency_in_progress`, `idempotency_mismatch`, `unavailable`.
 */
export async function registerBatch(
  ctx: CoreContext,
  caller: Caller,
  rows: readonly ReadRow[],
): Promise<{ replayed: boolean; results: BatchResult[] }> {
  const registrations = rows.filter((row): row is Registration => !(row instanceof LandfallError));
  const answer = await retryLostRaces(() =>
    withAccount(ctx.store, caller.accountId, (tx) =>
      answerOnce(tx, caller, {
        compute: async () => {
          const { results, firstRefreshes } = await registerManyWithin(tx, { ctx, caller, registrations });
          return { results: inOrder(rows, results).map(toBatchResult), firstRefreshes };
        },
        kept: ({ results }) => ({ results }),
      }),
    ),
  );
  if (answer.replayed) return { replayed: true, results: answer.kept.results };
  await enqueueFirstRefreshes(ctx, caller.accountId, answer.result.firstRefreshes);
  return { replayed: false, results: answer.result.results };
}

/** One result for each row: its refusal, or the next of what the registered ones became. */
export function inOrder(rows: readonly ReadRow[], registered: readonly RowResult[]): RowResult[] {
  const left = registered.values();
  return rows.map((row) => {
    if (row instanceof LandfallError) return { outcome: 'failed', error: row };
    const { value } = left.next();
    if (value === undefined) throw new Error('fewer results than registrations');
    return value;
  });
}

function toBatchResult(result: RowResult): BatchResult {
  if (result.outcome !== 'failed')
    return { outcome: result.outcome, shipmentId: encodeTypeId('shp', result.shipmentId) };
  return { outcome: 'failed', error: toRowError(result.error) };
}
