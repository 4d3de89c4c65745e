import type { Answer, QuestionKind } from '#shared/domain/carriers/worker-question.ts';
import {
  answerQuestion as answerInStore,
  findUnasked,
  type TakenQuestion,
  takeQuestions as takeFromStore,
} from '#shared/store/carriers/worker-questions.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export type { TakenQuestion };

/**
 * Takes up to `max` questions of each kind that requests wait for. Any number of workers may do so at the same time.
 * `unasked`: those of `running` for which nobody waits any more.
 */
export function takeQuestions(
  ctx: CoreContext,
  { free, running }: { free: readonly { kind: QuestionKind; max: number }[]; running: readonly string[] },
): Promise<{ taken: TakenQuestion[]; unasked: string[] }> {
  return withSystem(ctx.store, async (tx) => ({
    unasked: running.length === 0 ? [] : await findUnasked(tx, running),
    taken: await takeFromStore(tx, free),
  }));
}

/** Does nothing if nobody waits for the answer any more. */
export function answerQuestion<Kind extends QuestionKind>(
  ctx: CoreContext,
  question: TakenQuestion<Kind>,
  answered: { answer: Answer<Kind>; content: Uint8Array | null },
): Promise<void> {
  return withSystem(ctx.store, (tx) => answerInStore(tx, question, answered));
}
