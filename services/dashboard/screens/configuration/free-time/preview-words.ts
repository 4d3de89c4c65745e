import type { AnswerOf } from '#shared/contract/operations.ts';
import { type ClockState, clockStates } from '#shared/domain/record/free-time.ts';
import { costWords, stateWord, weekdayWords } from '../../../parts/words/free-time-words.ts';
import { numberLocale } from '../../../parts/words/locale.ts';

export type WirePreview = AnswerOf<'previewFreeTimeTerms'>;
export type WirePreviewChange = WirePreview['changes'][number];

/** Most urgent first. */
const order: readonly ClockState[] = ['over', 'expiring', 'unknown_terms', 'running', 'not_started', 'stopped'];

/** The number of clocks in each state, now and with the new terms. States that neither has are left out. */
export function stateCounts({ before, after }: Pick<WirePreview, 'before' | 'after'>) {
  const states: readonly string[] = [...order, ...clockStates.filter((state) => !order.includes(state))];
  return states
    .map((state) => ({ state, before: before[state] ?? 0, after: after[state] ?? 0 }))
    .filter(({ before: old, after: next }) => old > 0 || next > 0);
}

/** `+3`, `−1`; empty where nothing changes. */
export function differenceWords(before: number, after: number): string {
  const difference = after - before;
  if (difference === 0) return '';
  return `${difference > 0 ? '+' : '−'}${Math.abs(difference).toLocaleString(numberLocale())}`;
}

/** `12 of 40 clocks`, as a sentence. */
export function previewSummary({
  assessed,
  changed,
  more,
}: Pick<WirePreview, 'assessed' | 'changed' | 'more'>): string {
  const shipments = assessed === 1 ? '1 shipment' : `${assessed.toLocaleString(numberLocale())} shipments`;
  const scope = more ? `the newest ${shipments}` : shipments;
  if (assessed === 0) return 'No shipment has a container between discharge and empty return: nothing changes now.';
  const clocks =
    changed === 0
      ? 'No clock changes'
      : changed === 1
        ? '1 container has a clock that changes'
        : `${changed.toLocaleString(numberLocale())} containers have a clock that changes`;
  return `${clocks}. Assessed: ${scope} with containers between discharge and empty return.`;
}

/** A clock in one line: `Over, Tue 14 Apr, USD 360`. `none` where there is no clock of its kind. */
export function previewClockText(clock: WirePreviewChange['before'], now: number): string {
  if (clock === null) return 'no such clock';
  const { state, last_free_day: day, cost } = clock;
  const parts = [stateWord(state), day === null ? null : weekdayWords(day, now), cost && costWords([cost])];
  return parts.filter((part) => part !== null).join(', ');
}
