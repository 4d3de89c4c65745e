import type { FreeTimeTermRow } from '#shared/contract/free-time/terms-body.ts';
import type { ClockKind } from '#shared/domain/events/stated-free-time.ts';
import type { EquipmentGroup, FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import type { ClockStart } from '#shared/domain/record/free-time.ts';
import { numberLocale } from '../../../parts/words/locale.ts';

export type RateDraft = { key: number; fromDay: string; amount: string };

/** A row while it is edited: numbers, codes and days are texts, and '' means none. */
export type TermDraft = {
  key: number;
  kind: ClockKind;
  carrier: string;
  place: string;
  country: string;
  equipment: EquipmentGroup | '';
  freeDays: string;
  startEvent: ClockStart;
  firstDay: FreeTimeTerm['firstDay'];
  counting: FreeTimeTerm['counting'];
  chargedDays: FreeTimeTerm['chargedDays'];
  calendarCountry: string;
  rates: readonly RateDraft[];
  currency: string;
  validFrom: string;
  validTo: string;
};

let lastKey = 0;

/** A key for a new row or rate step, unique on the page. */
export function nextKey(): number {
  lastKey += 1;
  return lastKey;
}

export function newTerm(): TermDraft {
  return {
    key: nextKey(),
    kind: 'demurrage',
    carrier: '',
    place: '',
    country: '',
    equipment: '',
    freeDays: '',
    startEvent: 'discharged',
    firstDay: 'next_day',
    counting: 'calendar',
    chargedDays: 'calendar',
    calendarCountry: '',
    rates: [],
    currency: '',
    validFrom: '',
    validTo: '',
  };
}

/** A copy with keys of its own. */
export function copyOf(term: TermDraft): TermDraft {
  return { ...term, key: nextKey(), rates: term.rates.map((rate) => ({ ...rate, key: nextKey() })) };
}

export function draftOf(term: FreeTimeTermRow): TermDraft {
  return {
    key: nextKey(),
    kind: term.kind,
    carrier: term.carrier ?? '',
    place: term.place ?? '',
    country: term.country ?? '',
    equipment: term.equipment ?? '',
    freeDays: String(term.free_days),
    startEvent: term.start_event as ClockStart,
    firstDay: term.first_day,
    counting: term.counting,
    chargedDays: term.charged_days,
    calendarCountry: term.calendar_country ?? '',
    rates: term.rates.map(({ from_day: fromDay, amount }) => ({
      key: nextKey(),
      fromDay: String(fromDay),
      amount: String(amount),
    })),
    currency: term.currency ?? '',
    validFrom: term.valid_from ?? '',
    validTo: term.valid_to ?? '',
  };
}

/** The row as it is sent. The API evaluates it: a number that is missing is sent as null. */
export function termOf(draft: TermDraft) {
  return {
    kind: draft.kind,
    carrier: codeOf(draft.carrier),
    place: codeOf(draft.place),
    country: codeOf(draft.country),
    equipment: draft.equipment || null,
    free_days: numberOf(draft.freeDays),
    start_event: draft.startEvent,
    first_day: draft.firstDay,
    counting: draft.counting,
    charged_days: draft.chargedDays,
    calendar_country: codeOf(draft.calendarCountry),
    rates: draft.rates.map(({ fromDay, amount }) => ({ from_day: numberOf(fromDay), amount: numberOf(amount) })),
    currency: codeOf(draft.currency),
    valid_from: draft.validFrom || null,
    valid_to: draft.validTo || null,
  };
}

function codeOf(text: string): string | null {
  return text.trim() === '' ? null : text.trim().toUpperCase();
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

/** Numbers of rows by which the drafts differ from the saved ones. */
export type TermChanges = { added: number; changed: number; removed: number };

export function changesOf(drafts: readonly TermDraft[], saved: readonly TermDraft[]): TermChanges {
  const before = new Map(saved.map((term) => [term.key, textOf(term)]));
  const known = drafts.filter(({ key }) => before.has(key));
  return {
    added: drafts.length - known.length,
    changed: known.filter((term) => before.get(term.key) !== textOf(term)).length,
    removed: saved.length - known.length,
  };
}

function textOf(term: TermDraft): string {
  return JSON.stringify(termOf(term));
}

export function isUnchanged({ added, changed, removed }: TermChanges): boolean {
  return added + changed + removed === 0;
}

/** `1 added, 2 changed, 1 deleted`. */
export function changesWords({ added, changed, removed }: TermChanges): string {
  const parts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'deleted'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString(numberLocale())} ${word}`)
    .join(', ');
}

/** A mistake in a row. `field` is its name in the API, `rates/1/amount`; '' for the row as a whole. */
export type TermMistake = { field: string; detail: string };
/** Mistakes by the key of their row, in the order in which the API names them. */
export type TermMistakes = ReadonlyMap<number, readonly TermMistake[]>;

/** Assigns errors of the API to the rows that were sent. `rest`: those that belong to no row. */
export function mistakesOf(
  errors: readonly { pointer?: string; detail: string }[],
  sent: readonly TermDraft[],
): { rows: TermMistakes; rest: readonly string[] } {
  const rows = new Map<number, TermMistake[]>();
  const rest: string[] = [];
  for (const { pointer = '', detail } of errors) {
    const [, index, field = ''] = /^\/terms\/(\d+)(?:\/(.+))?$/.exec(pointer) ?? [];
    const row = index === undefined ? undefined : sent[Number(index)];
    if (row === undefined) rest.push(detail);
    else rows.set(row.key, [...(rows.get(row.key) ?? []), { field, detail }]);
  }
  return { rows, rest };
}

/** Returns the first error of a field, or of any field whose path begins with it. */
export function mistakeAt(mistakes: readonly TermMistake[], ...fields: readonly string[]): string | null {
  const found = mistakes.filter(({ field }) =>
    fields.some((name) => field === name || (name !== '' && field.startsWith(`${name}/`))),
  );
  return found.length === 0 ? null : found.map(({ detail }) => detail).join(' ');
}
