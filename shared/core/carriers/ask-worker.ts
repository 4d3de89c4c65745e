import { sleep } from '#shared/async/sleep.ts';
import type { Question, QuestionKind } from '#shared/domain/carriers/worker-question.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import {
  type AnsweredQuestion,
  deleteQuestion,
  insertQuestion,
  type Sealed,
  takeAnswer,
} from '#shared/store/carriers/worker-questions.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import { currentTraceparent } from '#shared/telemetry/events.ts';
import type { CoreContext } from '../core-context.ts';

/**
 * `waitMs`: how long a request waits; the workers' own deadlines are shorter. `maxOpen`: requests of one account that
 * may wait at the same time.
 */
export const questionLimits: Record<QuestionKind, { waitMs: number; maxOpen: number }> = {
  credential_check: { waitMs: 15_000, maxOpen: 5 },
  // Each answer may have 5 MiB.
  proof: { waitMs: 40_000, maxOpen: 4 },
};

/** Most answers come within half a second, and some take half a minute. */
const pollMs = { min: 20, max: 250 };
/** An answer that nobody takes is gone after the longest wait and this. Together they are less than a minute. */
const graceMs = 10_000;

type NewQuestion<Kind extends QuestionKind> = {
  id: string;
  kind: Kind;
  question: Question<Kind>;
  sealed?: Sealed | null;
};

/** Leaves a question for the workers. False: as many requests of the account wait already as may. */
export function leaveQuestion<Kind extends QuestionKind>(
  tx: Tx,
  accountId: string,
  { sealed = null, ...question }: NewQuestion<Kind>,
): Promise<boolean> {
  const { waitMs, maxOpen } = questionLimits[question.kind];
  const asked = { ...question, sealed, traceparent: currentTraceparent(), expiresInMs: waitMs + graceMs };
  return insertQuestion(tx, accountId, asked, maxOpen);
}

/** `waitMs` null: as long as this kind of question takes. */
type Waiting<Kind> = { accountId: string; id: string; kind: Kind; waitMs: number | null; signal?: AbortSignal };

/**
 * Waits for a worker's answer to a question that was left, and deletes both. Throws LandfallError `unavailable` when
 * none comes in time. `signal` ends the waiting with its reason, and the worker's work with it.
 */
export async function waitForAnswer<Kind extends QuestionKind>(
  ctx: CoreContext,
  { accountId, id, kind, waitMs, signal }: Waiting<Kind>,
): Promise<AnsweredQuestion<Kind>> {
  const askedAt = performance.now();
  const maxMs = waitMs ?? questionLimits[kind].waitMs;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const answered = await withAccount(ctx.store, accountId, (tx) => takeAnswer<Kind>(tx, accountId, id));
      if (answered !== null) return answered;
      const waitedMs = performance.now() - askedAt;
      if (waitedMs >= maxMs) {
        throw new LandfallError(
          'unavailable',
          'No worker answered in time. Check that a worker is running, and retry the request.',
          { retryAfterS: 5 },
        );
      }
      const pauseMs = Math.min(Math.max(pollMs.min, waitedMs / 5), pollMs.max, maxMs - waitedMs);
      await sleep(pauseMs, signal === undefined ? {} : { signal });
    }
  } catch (error) {
    await withAccount(ctx.store, accountId, (tx) => deleteQuestion(tx, accountId, id)).catch(() => undefined);
    throw error;
  }
}
