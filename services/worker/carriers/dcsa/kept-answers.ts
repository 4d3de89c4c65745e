import type { CarrierBudget } from '../carrier.ts';

const mostKept = 500;

/** Answers of a line whose calls cost money, kept as long as they hold. */
export type KeptAnswers<Answer> = {
  /** The answer to this question of this account, while it holds. */
  find: (budget: CarrierBudget, question: string, nowMs: number) => Answer | null;
  keep: (budget: CarrierBudget, question: string, kept: { answer: Answer; untilMs: number }) => void;
};

/** Kept by credential, which is what a budget stands for, so that no answer outlives the worker's settings or crosses over to others. */
export function keepAnswers<Answer>(): KeptAnswers<Answer> {
  const byCredential = new WeakMap<CarrierBudget, Map<string, { answer: Answer; untilMs: number }>>();
  return {
    find: (budget, question, nowMs) => {
      const kept = byCredential.get(budget)?.get(question);
      return kept !== undefined && kept.untilMs > nowMs ? kept.answer : null;
    },
    keep: (budget, question, kept) => {
      const answers = byCredential.get(budget) ?? new Map();
      byCredential.set(budget, answers);
      answers.delete(question);
      answers.set(question, kept);
      const oldest = answers.keys().next().value;
      if (answers.size > mostKept && oldest !== undefined) answers.delete(oldest);
    },
  };
}

/** Milliseconds that an answer holds by its `Cache-Control`; null when it does not say. */
export function holdsMs(headers: Headers): number | null {
  const control = headers.get('cache-control')?.toLowerCase() ?? '';
  if (/\bno-(store|cache)\b/.test(control)) return 0;
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/.exec(control)?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds) * 1000, 86_400_000);
}
