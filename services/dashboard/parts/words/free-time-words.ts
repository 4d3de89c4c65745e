import type { ClockKind } from '#shared/domain/events/stated-free-time.ts';
import type { ClockState } from '#shared/domain/record/free-time.ts';
import { dayWords } from '../time-words.ts';
import { numberLocale } from './locale.ts';

type Money = { amount: number; currency: string };
/** A cost of the API. `is_floor`: it is at least this much. */
export type CostLike = Money & { is_floor: boolean };

export const clockKindWords: Record<ClockKind, string> = {
  demurrage: 'Demurrage',
  detention: 'Detention',
  combined: 'Demurrage and detention',
};

/** The state of a clock. `unknown_terms` has words of its own: it must never read as no risk. */
export const clockStateWords: Record<ClockState, string> = {
  over: 'Over',
  expiring: 'Ends soon',
  unknown_terms: 'Unknown',
  running: 'Running',
  not_started: 'Not started',
  stopped: 'Stopped',
};

/** One sentence on the meaning of each state. */
export const clockStateHints: Record<ClockState, string> = {
  over: 'The last free day has passed. Each further day may cost.',
  expiring: 'The last free day is near.',
  unknown_terms: 'The clock runs, or may run, and its last free day is unknown: the risk is unknown.',
  running: 'The container is within its free time.',
  not_started: 'The event that starts the clock has not happened.',
  stopped: 'The container has moved on.',
};

/** The kind of a clock of any release. */
export function kindWord(kind: string): string {
  return (clockKindWords as Record<string, string>)[kind] ?? kind.replaceAll('_', ' ');
}

/** The state of a clock of any release. */
export function stateWord(state: string): string {
  return (clockStateWords as Record<string, string>)[state] ?? state.replaceAll('_', ' ');
}

/** `3 days left`, `last free day today`, `2 days over`. */
export function daysLeftWords(days: number): string {
  if (days === 0) return 'last free day today';
  const count = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days).toLocaleString(numberLocale())} days`;
  return days > 0 ? `${count} left` : `${count} over`;
}

/** The same in a narrow column: `3 d`, `today`, `−2 d`. */
export function shortDaysLeft(days: number): string {
  if (days === 0) return 'today';
  return days > 0 ? `${days} d` : `−${-days} d`;
}

/** `USD 1,250`, `EUR 99.50`. */
export function moneyWords({ amount, currency }: Money): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  return `${currency} ${amount.toLocaleString(numberLocale(), { minimumFractionDigits: digits, maximumFractionDigits: 2 })}`;
}

/** `USD 360`, `at least USD 360, EUR 80`. Null: no cost is known. */
export function costWords(costs: readonly CostLike[]): string | null {
  if (costs.length === 0) return null;
  return costs.map((cost) => `${cost.is_floor ? 'at least ' : ''}${moneyWords(cost)}`).join(', ');
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** A calendar day with its weekday, `Wed 15 Apr`. */
export function weekdayWords(day: string, now: number = Date.now()): string {
  return `${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? ''} ${dayWords(day, null, now)}`.trim();
}

/** `1 working day`, `5 calendar days`. */
export function freeDaysWords(days: number, counting: string | null): string {
  const kind = counting === null ? '' : `${counting} `;
  return days === 1 ? `1 ${kind}day` : `${days.toLocaleString(numberLocale())} ${kind}days`;
}
