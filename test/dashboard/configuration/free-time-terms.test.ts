import { expect, it } from 'vitest';
import { countryOptions } from '#services/dashboard/screens/configuration/free-time/code-options.ts';
import {
  differenceWords,
  previewClockText,
  previewSummary,
  stateCounts,
} from '#services/dashboard/screens/configuration/free-time/preview-words.ts';
import {
  changesOf,
  changesWords,
  copyOf,
  draftOf,
  mistakeAt,
  mistakesOf,
  newTerm,
  type TermDraft,
  termOf,
} from '#services/dashboard/screens/configuration/free-time/term-draft.ts';
import {
  freeTimeText,
  isValidOn,
  ratesText,
  validityText,
  withKind,
} from '#services/dashboard/screens/configuration/free-time/term-words.ts';
import { readTermsFile, termsFile } from '#services/dashboard/screens/configuration/free-time/terms-file.ts';
import { withKnownKeys } from '#services/dashboard/screens/configuration/free-time/use-terms-editor.ts';
import { type FreeTimeTermRow, freeTimeTermRow } from '#shared/contract/free-time/terms-body.ts';

const now = Date.parse('2026-04-15T12:00:00Z');

const wire: FreeTimeTermRow = {
  kind: 'demurrage',
  carrier: 'MAEU',
  place: 'USLAX',
  country: null,
  equipment: null,
  free_days: 5,
  start_event: 'discharged',
  first_day: 'next_day',
  counting: 'working',
  charged_days: 'calendar',
  calendar_country: null,
  rates: [
    { from_day: 1, amount: 120 },
    { from_day: 5, amount: 200 },
  ],
  currency: 'USD',
  valid_from: '2026-01-01',
  valid_to: null,
};
const term = (changes: Partial<TermDraft> = {}): TermDraft => ({ ...draftOf(wire), ...changes });
const termsIn = (file: string) => {
  const read = readTermsFile(file);
  if ('problem' in read) throw new Error(read.problem);
  return read.terms;
};

it('sends a row as the API has it, with codes in upper case and missing numbers as null', () => {
  expect(termOf(draftOf(wire))).toEqual(wire);
  expect(freeTimeTermRow.parse(termOf(draftOf(wire)))).toEqual(wire);
  expect(termOf(term({ carrier: ' maeu ', place: 'uslax', currency: 'usd', freeDays: '' }))).toMatchObject({
    carrier: 'MAEU',
    place: 'USLAX',
    currency: 'USD',
    free_days: null,
  });
});

it('counts rows that are added, changed and deleted, and no row that is the same again', () => {
  const [kept, changed, removed] = [term(), term(), term()];
  const added = copyOf(kept);
  expect(added.key).not.toBe(kept.key);
  const changes = changesOf([kept, { ...changed, freeDays: '7' }, added], [kept, changed, removed]);
  expect(changes).toEqual({ added: 1, changed: 1, removed: 1 });
  expect(changesWords(changes)).toBe('1 added, 1 changed, 1 deleted');
  expect(changesOf([{ ...kept, carrier: 'maeu' }], [kept])).toEqual({ added: 0, changed: 0, removed: 0 });
});

it('assigns each mistake to the row and the field that it is about', () => {
  const sent = [term(), term()];
  const { rows, rest } = mistakesOf(
    [
      { pointer: '/terms/1/place', detail: 'Unknown place XXXXX.' },
      { pointer: '/terms/1/rates/1/from_day', detail: 'Steps must ascend.' },
      { pointer: '/terms/0', detail: 'The same as row 2.' },
      { pointer: '/terms/9/place', detail: 'A row that was not sent.' },
      { detail: 'Something else.' },
    ],
    sent,
  );
  const second = rows.get(sent[1]?.key ?? -1) ?? [];
  expect(mistakeAt(second, 'place', 'country')).toBe('Unknown place XXXXX.');
  expect(mistakeAt(second, 'rates', 'currency')).toBe('Steps must ascend.');
  expect(mistakeAt(second, 'free_days')).toBeNull();
  expect(mistakeAt(second, '')).toBeNull();
  expect(mistakeAt(rows.get(sent[0]?.key ?? -1) ?? [], '', 'kind')).toBe('The same as row 2.');
  expect(rest).toEqual(['A row that was not sent.', 'Something else.']);
});

it('describes in one sentence how long a container is free, what follows, and when the row is valid', () => {
  expect(freeTimeText(term())).toBe('5 working days from the day after discharge');
  expect(freeTimeText(term({ freeDays: '1', counting: 'calendar', firstDay: 'same_day' }))).toBe(
    '1 calendar day from the day of discharge',
  );
  expect(freeTimeText(term({ freeDays: '0' }))).toBe('No free days, from the day after discharge');
  expect(freeTimeText(term({ freeDays: '' }))).toBe('No number of days, from the day after discharge');
  expect(freeTimeText(term({ calendarCountry: 'US' }))).toContain(', calendar of US');
  expect(ratesText(term())).toBe('USD 120 a day, 200 from day 5');
  expect(ratesText(term({ chargedDays: 'working' }))).toContain('working days only');
  expect(ratesText(term({ rates: [] }))).toBe('Rates not known');
  expect(validityText({ validFrom: '', validTo: '' }, now)).toBe('Always');
  expect(validityText({ validFrom: '2026-01-01', validTo: '2027-12-31' }, now)).toBe('1 Jan – 31 Dec 2027');
  expect(isValidOn({ validFrom: '2026-01-01', validTo: '' }, '2025-12-31')).toBe(false);
});

it('starts detention with the gate-out, and gives another kind of clock a start that it allows', () => {
  const detention = withKind(term(), 'detention');
  expect(detention.startEvent).toBe('gate_out_full');
  expect(withKind(detention, 'combined').startEvent).toBe('discharged');
  expect(withKind(term({ startEvent: 'arrived' }), 'combined').startEvent).toBe('arrived');
});

it('parses its own output', () => {
  const terms = [term(), term({ kind: 'detention', startEvent: 'gate_out_full', rates: [], currency: '', place: '' })];
  expect(termsIn(termsFile(terms)).map(termOf)).toEqual(terms.map(termOf));
  expect(termsFile([term({ carrier: '=1+1' })])).toContain("'=1+1");
});

it('reads a file with semicolons, quotes and a byte order mark, and takes defaults for absent columns', () => {
  const [first, second] = termsIn('\uFEFFkind;free_days;rates\r\ndetention;4;"1:85;6:140"\r\n\r\ndemurrage;5;\r\n');
  expect(termOf(first ?? newTerm())).toMatchObject({
    kind: 'detention',
    start_event: 'gate_out_full',
    rates: [
      { from_day: 1, amount: 85 },
      { from_day: 6, amount: 140 },
    ],
  });
  expect(second).toMatchObject({ kind: 'demurrage', startEvent: 'discharged', rates: [], freeDays: '5' });
});

it('explains why a file cannot be read, with the row', () => {
  const problemOf = (file: string) => (readTermsFile(file) as { problem: string }).problem;
  expect(problemOf('kind,carrier\ndemurrage,MAEU\n')).toBe('The header must name free_days.');
  expect(problemOf('kind,free_days,colour\ndemurrage,5,red\n')).toMatch(/^Unknown column: colour\./);
  expect(problemOf('kind,free_days\nstorage,5\n\ndemurrage,x\n')).toMatch(
    /^Line 2: kind must be .* Line 4: free_days must be /,
  );
  expect(problemOf('kind,free_days,rates\ndemurrage,5,85\n')).toMatch(/^Line 2: rates/);
  expect(problemOf('kind,free_days\n')).toBe('The file has no rows below its header.');
  expect(problemOf(`kind,free_days\n${'demurrage,5\n'.repeat(2001)}`)).toMatch(/at most 2000 rows/);
});

it('treats imported rows that are saved already as the same', () => {
  const saved = [term(), term({ place: 'NLRTM' })];
  const imported = withKnownKeys([term({ place: 'NLRTM' }), term({ place: 'DEHAM' }), term(), term()], saved);
  expect(changesOf(imported, saved)).toEqual({ added: 2, changed: 0, removed: 0 });
});

it('words a preview by state, most urgent first, and counts only assessed shipments', () => {
  expect(stateCounts({ before: { unknown_terms: 4, running: 1 }, after: { running: 3, over: 2 } })).toEqual([
    { state: 'over', before: 0, after: 2 },
    { state: 'unknown_terms', before: 4, after: 0 },
    { state: 'running', before: 1, after: 3 },
  ]);
  expect([differenceWords(4, 0), differenceWords(1, 3), differenceWords(2, 2)]).toEqual(['−4', '+2', '']);
  expect(previewSummary({ assessed: 0, changed: 0, more: false })).toMatch(/nothing changes now/);
  expect(previewSummary({ assessed: 1000, changed: 1, more: true })).toBe(
    '1 container has a clock that changes. Assessed: the newest 1,000 shipments with containers between discharge and empty return.',
  );
  const cost = { amount: 360, currency: 'USD', is_floor: true };
  expect(previewClockText({ state: 'over', last_free_day: '2026-04-14', cost }, now)).toBe(
    'Over, Tue 14 Apr, at least USD 360',
  );
  expect(previewClockText({ state: 'unknown_terms', last_free_day: null, cost: null }, now)).toBe('Unknown');
  expect(previewClockText(null, now)).toBe('no such clock');
});

it('suggests countries only', () => {
  const codes = countryOptions().map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['US', 'NL', 'CN', 'GB']));
  for (const none of ['EU', 'UN', 'ZZ', 'QO']) expect(codes).not.toContain(none);
  expect(codes.length).toBeGreaterThan(240);
});
