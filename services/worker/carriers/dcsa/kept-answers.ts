import type { CarrierSettings } from '../carrier.ts';

const mostKept = 500;

/** Answers of a line whose calls cost money, kept as long as they hold. */
export type KeptAnswers<Answer> = {
  /** The answer to this question of this account, while it holds. */
  find: (settings: CarrierSettings, question: string, nowMs: number) => Answer | null;
  keep: (settings: CarrierSettings, question: string, kept: { answer: Answer; untilMs: number }) => void;
};

/** Kept by the settings that a worker opened a credential with: a refresh has a budget of its own. A changed credential finds nothing here. */
export function keepAnswers<Answer>(): KeptAnswers<Answer> {
  const byCredential = new WeakMap<CarrierSettings, Map<string, { answer: Answer; untilMs: number }>>();
  return {
    find: (settings, question, nowMs) => {
      const kept = byCredential.get(settings)?.get(question);
      return kept !== undefined && kept.untilMs > nowMs ? kept.answer : null;
    },
    keep: (settings, question, kept) => {
      const answers = byCredential.get(settings) ?? new Map();
      byCredential.set(settings, answers);
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
