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

type Keyed = { place: number; accountId: string; key: IdempotencyKey };

/** The key under which the caller's response is stored. Test requests have separate keys. */
export function idempotencyKeyOf({ idempotency, test }: Caller): IdempotencyKey | null {
  if (idempotency === null || !test) return idempotency;
  return { ...idempotency, route: `test ${idempotency.route}` };
}

/**
 * Locks the Idempotency-Keys of these callers, who share an account, until the transaction ends. Returns for each
 * caller the response stored for its key, the error that refuses the request, or null: compute the response and pass
 * it to `keepAnswers`.
 */
export async function findAnswers<Answer>(
  tx: Tx,
  callers: readonly Caller[],
): Promise<(Answer | LandfallError | null)[]> {
  const answers: (Answer | LandfallError | null)[] = callers.map(() => null);
  const keyed = callers.flatMap((caller, place): Keyed[] => {
    const key = idempotencyKeyOf(caller);
    return key === null ? [] : [{ place, accountId: caller.accountId, key }];
  });
  const [first] = keyed;
  if (first === undefined) return answers;
  const keys = keyed.map(({ key }) => key);
  // In one round trip: PostgreSQL reads after it has locked.
  const [taken, earlier] = await Promise.all([
    takeIdempotencyKeys(tx, first.accountId, keys),
    readIdempotencies(tx, first.accountId, keys),
  ]);
  for (const [index, { place, key }] of keyed.entries())
    answers[place] = taken[index] === true ? earlierAnswer<Answer>(key, earlier[index] ?? null) : inProgress();
  return answers;
}

/**
 * Stores the response to each request that has a key, in the transaction of that request. `answers` are in the order
 * of the requests; null is not stored.
 */
export function keepAnswers(
  tx: Tx,
  requests: readonly { caller: Caller }[],
  answers: readonly (object | null)[],
): Promise<void> {
  const [first] = requests;
  if (first === undefined) return Promise.resolve();
  const kept = requests.flatMap(({ caller }, place) => {
    const key = idempotencyKeyOf(caller);
    const response = answers[place] ?? null;
    return key === null || response === null ? [] : [{ ...key, response }];
  });
  return storeIdempotencies(tx, first.caller.accountId, kept);
}

function earlierAnswer<Answer>(key: IdempotencyKey, earlier: IdempotencyEntry | null): Answer | LandfallError | null {
  if (earlier === null) return null;
  if (earlier.bodyHash === key.bodyHash) return earlier.response as Answer;
  return new LandfallError(
    'idempotency_mismatch',
    'This Idempotency-Key was used with a different request body. Use a new key.',
  );
}

function inProgress(): LandfallError {
  return new LandfallError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running. Retry in 1 s.',
    { retryAfterS: 1 },
  );
}
