import type { CarrierSettings } from '../carrier.ts';

const maxKept = 500;

/** Responses of a line that bills each call, reused while they are valid. */
export type KeptAnswers<Answer> = {
  /** The valid response to this query with these credentials. */
  find: (settings: CarrierSettings, question: string, nowMs: number) => Answer | null;
  keep: (settings: CarrierSettings, question: string, kept: { answer: Answer; untilMs: number }) => void;
};

/**
 * The key is the settings object that a worker opened for the credentials, because each refresh has its own budget
 * object. Changed credentials therefore find nothing here.
 */
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
      if (answers.size > maxKept && oldest !== undefined) answers.delete(oldest);
    },
  };
}

/**
 * How long `Cache-Control` allows the response to be reused, in milliseconds. Null when the header doesn't state it.
 */
export function holdsMs(headers: Headers): number | null {
  const control = headers.get('cache-control')?.toLowerCase() ?? '';
  if (/\bno-(store|cache)\b/.test(control)) return 0;
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/.exec(control)?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds) * 1000, 86_400_000);
}
