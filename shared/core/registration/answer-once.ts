import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import {
  type IdempotencyEntry,
  type IdempotencyKey,
  readIdempotencies,
  storeIdempotencies,
  takeIdempotencyKeys,
} from '#shared/store/registration/idempotency.ts';
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
  const key = idempotencyKeyOf(caller);
  if (key === null) return { replayed: false, result: await work.compute() };
  const [earlier] = await findAnswers<Kept>(tx, caller.accountId, [key]);
  if (earlier instanceof LandfallError) throw earlier;
  if (earlier !== undefined && earlier !== null) return { replayed: true, kept: earlier };
  const result = await work.compute();
  await storeIdempotencies(tx, caller.accountId, [{ ...key, response: work.kept(result) }]);
  return { replayed: false, result };
}

/** The key under which the caller's answer is kept: test requests have keys of their own. */
export function idempotencyKeyOf({ idempotency, test }: Caller): IdempotencyKey | null {
  return idempotency === null
    ? null
    : { ...idempotency, route: test ? `test ${idempotency.route}` : idempotency.route };
}

/**
 * Takes the keys for this transaction and gives for each what was answered under it, why it is refused, or null when the answer is still to
 * be found and stored.
 */
export async function findAnswers<Kept extends object>(
  tx: Tx,
  accountId: string,
  keys: readonly IdempotencyKey[],
): Promise<(Kept | LandfallError | null)[]> {
  if (keys.length === 0) return [];
  const taken = await takeIdempotencyKeys(tx, accountId, keys);
  const earlier = await readIdempotencies(tx, accountId, keys);
  return keys.map((key, place) =>
    taken[place] === true ? earlierAnswer<Kept>(key, earlier[place] ?? null) : inProgress(),
  );
}

function earlierAnswer<Kept>(key: IdempotencyKey, earlier: IdempotencyEntry | null): Kept | LandfallError | null {
  if (earlier === null) return null;
  if (earlier.bodyHash === key.bodyHash) return earlier.response as Kept;
  return new LandfallError('idempotency_mismatch', 'This Idempotency-Key was used for a request with another body.');
}

function inProgress(): LandfallError {
  return new LandfallError('idempotency_in_progress', 'A request with this Idempotency-Key is still running.', {
    retryAfterS: 1,
  });
}
