import type { ClockKind } from '#shared/domain/events/stated-free-time.ts';
import type { EquipmentGroup } from '#shared/domain/free-time/terms.ts';
import type { ClockStart } from '#shared/domain/record/free-time.ts';
import { dayWords } from '../../../parts/time-words.ts';
import { freeDaysWords, moneyWords } from '../../../parts/words/free-time-words.ts';
import { numberLocale } from '../../../parts/words/locale.ts';
import type { TermDraft } from './term-draft.ts';

export const equipmentWords: Record<EquipmentGroup, string> = {
  standard: 'Standard',
  reefer: 'Reefer',
  tank: 'Tank',
  special: 'Special',
};

/** The start events, as in `from the day after discharge`. */
export const startWords: Record<ClockStart, string> = {
  discharged: 'discharge',
  available_for_pickup: 'availability',
  arrived: 'arrival',
  rail_unloaded: 'rail unloading',
  gate_out_full: 'gate-out',
};

/** The events that may start a clock of this kind. Detention always starts when the container leaves the terminal. */
export function startsOf(kind: ClockKind): readonly ClockStart[] {
  return kind === 'detention'
    ? ['gate_out_full']
    : ['discharged', 'available_for_pickup', 'arrived', 'rail_unloaded', 'gate_out_full'];
}

/** A row of another kind, with a start event that the kind allows. */
export function withKind(term: TermDraft, kind: ClockKind): TermDraft {
  const starts = startsOf(kind);
  const isKept = kind === 'detention' ? false : term.kind !== 'detention' && starts.includes(term.startEvent);
  return { ...term, kind, startEvent: isKept ? term.startEvent : (starts[0] ?? 'discharged') };
}

/** `5 working days from the day after discharge`. */
export function freeTimeText(term: TermDraft): string {
  const start = startWords[term.startEvent] ?? term.startEvent;
  const from = term.firstDay === 'same_day' ? `from the day of ${start}` : `from the day after ${start}`;
  if (term.freeDays.trim() === '') return `No number of days, ${from}`;
  const days = Number(term.freeDays);
  if (days === 0) return `No free days, ${from}`;
  const calendar =
    term.counting === 'working' && term.calendarCountry !== '' ? `, calendar of ${term.calendarCountry}` : '';
  return `${freeDaysWords(days, term.counting)} ${from}${calendar}`;
}

/** `USD 120 a day, 200 from day 5`; `Rates not known` without them. */
export function ratesText({ rates, currency, chargedDays }: TermDraft): string {
  const [first, ...later] = rates.filter(({ amount }) => amount.trim() !== '');
  if (first === undefined) return 'Rates not known';
  const amounts = [
    `${moneyWords({ amount: Number(first.amount), currency: currency.trim().toUpperCase() || '?' })} a day`,
    ...later.map(({ amount, fromDay }) => `${Number(amount).toLocaleString(numberLocale())} from day ${fromDay}`),
  ];
  return `${amounts.join(', ')}${chargedDays === 'working' ? ', working days only' : ''}`;
}

/** `Always`, `From 1 Jan 2026`, `Until 31 Dec 2026`, `1 Jan – 31 Dec 2026`. */
export function validityText({ validFrom, validTo }: Pick<TermDraft, 'validFrom' | 'validTo'>, now: number): string {
  const [from, to] = [validFrom, validTo].map((day) => (day === '' ? '' : dayWords(day, null, now)));
  if (from === '' && to === '') return 'Always';
  if (to === '') return `From ${from}`;
  return from === '' ? `Until ${to}` : `${from} – ${to}`;
}

/** True when clocks may start under the row on this day. */
export function isValidOn({ validFrom, validTo }: Pick<TermDraft, 'validFrom' | 'validTo'>, day: string): boolean {
  return (validFrom === '' || validFrom <= day) && (validTo === '' || day <= validTo);
}

/** The name of a row in messages and labels: `Demurrage, MAEU, USLAX`. */
export function termName(term: TermDraft, kindWord: (kind: string) => string): string {
  const scope = [term.carrier, term.place, term.country, term.equipment === '' ? '' : equipmentWords[term.equipment]];
  return [kindWord(term.kind), ...scope.filter((part) => part !== '')].join(', ');
}

/** The rows that contain the text in a code, a name or the kind of clock. */
export function findTerms(
  terms: readonly TermDraft[],
  q: string,
  namesOf: (term: TermDraft) => readonly string[],
): TermDraft[] {
  const sought = q.trim().toLowerCase();
  return terms.filter((term) => namesOf(term).some((name) => name.toLowerCase().includes(sought)));
}
