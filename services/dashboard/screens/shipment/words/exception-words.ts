import type { WireException } from '../../../api/wire.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import { weekdayWords } from '../../../parts/words/free-time-words.ts';

/**
 * Text of an exception: the reason of a hold follows its kind, as `Customs hold: Exam`, and days have the format of all
 * other days. Other messages are the carrier's own words.
 */
export function exceptionText({ code, message }: Pick<WireException, 'code' | 'message'>, now: number): string {
  if (code.startsWith('last_free_day_')) return message.replace(/\d{4}-\d{2}-\d{2}/, (day) => weekdayWords(day, now));
  const kind = wordOf(code);
  return !code.endsWith('_hold') || message.toLowerCase().includes('hold') ? message : `${kind}: ${message}`;
}
