import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { readIdempotency, storeIdempotency, takeIdempotencyKey } from '#shared/store/idempotency.ts';
import type { Tx } from '#shared/store/with-account.ts';

/**
 * Runs `compute` under the caller's Idempotency-Key, if there is one: its result is kept in the same transaction, and given again for the
 * same body. `kept` is the part that the answer is made of. Throws LandfallError `idempotency_in_progress` or `idempotency_mismatch`.
 */
export async function answerOnce<Result extends object, Kept extends object>(
  tx: Tx,
  caller: Caller,
  work: { compute: () => Promise<Result>; kept: (result: Result) => Kept },
): Promise<{ replayed: false; result: Result } | { replayed: true; kept: Kept }> {
  const { accountId, idempotency } = caller;
  if (idempotency === null) return { replayed: false, result: await work.compute() };
  const key = { ...idempotency, route: caller.test ? `test ${idempotency.route}` : idempotency.route };
  if (!(await takeIdempotencyKey(tx, accountId, key))) {
    throw new LandfallError('idempotency_in_progress', 'A request with this Idempotency-Key is still running.', { retryAfterS: 1 });
  }
  const earlier = await readIdempotency(tx, accountId, key);
  if (earlier !== null) {
    if (earlier.bodyHash !== key.bodyHash) {
      throw new LandfallError('idempotency_mismatch', 'This Idempotency-Key was used for a request with another body.');
    }
    return { replayed: true, kept: earlier.response as Kept };
  }
  const result = await work.compute();
  await storeIdempotency(tx, accountId, { ...key, response: work.kept(result) });
  return { replayed: false, result };
}
