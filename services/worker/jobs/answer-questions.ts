import { answerQuestion, type TakenQuestion, takeQuestions } from '#shared/core/carriers/answer-questions.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import type { Answer, QuestionKind } from '#shared/domain/carriers/worker-question.ts';
import { inSpan } from '#shared/telemetry/events.ts';
import { answerCheck, type CheckContext } from '../credentials/check-credentials.ts';
import { fetchProof, type ProofContext } from '../refresh/fetch-proof.ts';

type Answered<Kind extends QuestionKind> = { answer: Answer<Kind>; content: Uint8Array | null };

export type Answerer<Kind extends QuestionKind> = {
  /** Questions in progress in one worker. */
  max: number;
  answer: (question: TakenQuestion<Kind>, signal: AbortSignal) => Promise<Answered<Kind>>;
};

export type Answerers = { readonly [Kind in QuestionKind]: Answerer<Kind> };

/** Each question waits for a carrier and costs nothing else, but a document takes 5 MiB, and twice that in Base64. */
export function answerersOf(ctx: CheckContext & ProofContext): Answerers {
  return {
    credential_check: {
      max: 8,
      answer: async (check, signal) => ({ answer: await answerCheck(ctx, check, signal), content: null }),
    },
    proof: { max: 8, answer: (question, signal) => fetchProof(ctx, question, signal) },
  };
}

/**
 * Answers what requests ask the workers: only workers call carriers, so the API leaves its question in a table and
 * waits for the answer there. `run` starts what waits, and ends the work for which nobody waits any more; `end` waits
 * for what was started.
 */
export function createQuestionAnswering(core: CoreContext, answerers: Answerers, signal: AbortSignal) {
  const running = new Map<string, { kind: QuestionKind; ending: AbortController; ended: Promise<void> }>();
  const runningOf = (kind: QuestionKind) => [...running.values()].filter((one) => one.kind === kind).length;
  const free = () =>
    (Object.keys(answerers) as QuestionKind[])
      .map((kind) => ({ kind, max: answerers[kind].max - runningOf(kind) }))
      .filter(({ max }) => max > 0);

  const start = (question: TakenQuestion): void => {
    const ending = new AbortController();
    const stop = () => ending.abort(signal.reason);
    signal.addEventListener('abort', stop);
    const ended = answerOne(core, question, answerers[question.kind] as Answerer<QuestionKind>, ending.signal)
      .catch((error) => core.log.warn({ err: error, kind: question.kind }, 'answering a request failed'))
      .finally(() => {
        signal.removeEventListener('abort', stop);
        running.delete(question.id);
      });
    running.set(question.id, { kind: question.kind, ending, ended });
  };

  return {
    run: async (): Promise<undefined> => {
      const { taken, unasked } = await takeQuestions(core, { free: free(), running: [...running.keys()] });
      for (const id of unasked) running.get(id)?.ending.abort(new Error('the request has ended'));
      for (const question of taken) start(question);
    },
    end: async (): Promise<void> => void (await Promise.all([...running.values()].map(({ ended }) => ended))),
  };
}

async function answerOne(
  core: CoreContext,
  question: TakenQuestion,
  { answer }: Answerer<QuestionKind>,
  signal: AbortSignal,
): Promise<void> {
  const { accountId, kind, traceparent } = question;
  const attributes = { 'account.id': accountId, 'question.kind': kind, 'carrier.code': question.question.carrier };
  await inSpan('answer-question', { kind: 'consumer', parent: traceparent, attributes }, async () => {
    const answered = await answer(question, signal);
    // A call that the end of the worker interrupted doesn't describe the carrier. The request learns that no worker answered.
    if (!signal.aborted) await answerQuestion(core, question, answered);
  });
}
