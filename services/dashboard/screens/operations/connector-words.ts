import { clockWords, dayWords, momentWords, relativeWords } from '../../parts/time-words.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { ageWords, durationWords, shareWords } from '../carriers/carrier-words.ts';
import { inTrouble } from './answer-sentence.ts';
import type { WireConnector } from './operations-state.ts';
import { reasonWords } from './trace-words.ts';

const circuits: Record<WireConnector['circuit'], string> = { closed: 'closed', half_open: 'half-open', open: 'open' };

/** The state of a connector as one word with its sign. */
export function standing(
  one: WireConnector,
  isSlow: boolean,
): { sign: 'bad' | 'warn' | 'good' | 'none'; word: string } {
  if (one.suspended > 0) return { sign: 'bad', word: 'Credentials rejected' };
  if (one.circuit === 'open') return { sign: 'bad', word: 'Circuit open' };
  if (one.circuit === 'half_open') return { sign: 'warn', word: 'Circuit half-open' };
  if ((one.closed_for_s ?? 0) > 0) return { sign: 'warn', word: 'Rate limited' };
  if (inTrouble(one)) return { sign: 'warn', word: 'Failing' };
  if (isSlow) return { sign: 'warn', word: 'Slow' };
  return one.requests === 0 ? { sign: 'none', word: 'Idle' } : { sign: 'good', word: 'Responding' };
}

/** The reason for the state; of a connector without problems its last error or response. */
export function why(one: WireConnector, now: number, isSlow: boolean): string {
  if (one.suspended > 0)
    return one.suspended === 1 ? 'Replace the credentials' : `Replace ${one.suspended} sets of credentials`;
  if ((one.closed_for_s ?? 0) > 0) return `Calls resume in ${ageWords(one.closed_for_s ?? 0)}`;
  const reason = one.last_error_reason === null ? '' : `: ${reasonWords(one.last_error_reason)}`;
  if (one.circuit !== 'closed') {
    return one.last_success_at === null
      ? `No response yet${reason}`
      : `No success since ${momentOfDay(one.last_success_at, now)}${reason}`;
  }
  if (inTrouble(one))
    return `${(one.requests - one.succeeded).toLocaleString(numberLocale())} of ${one.requests.toLocaleString(numberLocale())} calls failed${reason}`;
  if (isSlow && one.usual_ms !== null) return `p95 is usually ${durationWords(one.usual_ms)}`;
  if (isSlow) return 'Much slower than the other carriers';
  if (one.last_error_at !== null) return `Last error ${momentOfDay(one.last_error_at, now)}${reason}`;
  if (one.requests === 0) return idleWords(one);
  return one.last_success_at === null ? '' : `Last success ${relativeWords(one.last_success_at, now)}`;
}

/** Words for a carrier that was not called in the last five minutes. */
function idleWords({ due_count: due, budget_left: left }: WireConnector): string {
  if (due === 0) return 'No shipment is due';
  return left !== null && left < 1 ? 'Its calls are used up for now' : 'Shipments are due and wait for a worker';
}

/** Everything that is known of a connector. */
export function factsOfConnector(one: WireConnector): [string, string][] {
  const failed = one.requests - one.succeeded;
  const duration = (ms: number | null) => (ms === null ? 'unknown' : durationWords(ms));
  const moment = (at: string | null) => (at === null ? 'none' : momentWords(at, { seconds: true }));
  const error = one.last_error_reason === null ? '' : `, ${reasonWords(one.last_error_reason)}`;
  return [
    ['Connector', one.connector],
    ['Circuit', circuits[one.circuit]],
    ['Calls', one.requests.toLocaleString(numberLocale())],
    ['Failed', failed === 0 ? '0' : `${failed.toLocaleString(numberLocale())} (${shareWords(failed / one.requests)})`],
    ['p50', duration(one.latency_p50_ms)],
    ['p95', duration(one.latency_p95_ms)],
    ['Usual p95', duration(one.usual_ms)],
    ['Calls left', one.budget_left === null ? 'unknown' : Math.floor(one.budget_left).toLocaleString(numberLocale())],
    ['Rate limited', (one.closed_for_s ?? 0) > 0 ? `for ${ageWords(one.closed_for_s ?? 0)}` : 'no'],
    ['Shipments due', one.due_count.toLocaleString(numberLocale())],
    ['Oldest due', one.due_oldest_age_s === null ? 'none' : ageWords(one.due_oldest_age_s)],
    ['Credentials rejected', one.suspended.toLocaleString(numberLocale())],
    ['Last success', moment(one.last_success_at)],
    ['Last error', `${moment(one.last_error_at)}${error}`],
  ];
}

/** The clock alone for a moment of today. */
function momentOfDay(at: string, now: number): string {
  return dayWords(at) === dayWords(new Date(now).toISOString()) ? clockWords(at) : momentWords(at, { now });
}
