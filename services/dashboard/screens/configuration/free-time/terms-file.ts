import { clockKinds } from '#shared/domain/free-time/stated.ts';
import { clockStarts, equipmentGroups } from '#shared/domain/free-time/terms.ts';
import { newTerm, nextKey, type RateDraft, type TermDraft, termOf } from './term-draft.ts';

/** The columns of a file, as in the API. `rates` holds steps: `1:85;6:140`. */
export const fileColumns = [
  'kind',
  'carrier',
  'place',
  'country',
  'equipment',
  'free_days',
  'start_event',
  'first_day',
  'counting',
  'charged_days',
  'calendar_country',
  'rates',
  'currency',
  'valid_from',
  'valid_to',
] as const;
type FileColumn = (typeof fileColumns)[number];

export const maxTerms = 2000;
const maxNamed = 5;

/** The rows of a CSV file for the table, or why it can't be read. The API judges the values when they are sent. */
export function readTermsFile(text: string): { terms: TermDraft[] } | { problem: string } {
  const [header = [], ...lines] = readCsv(text.replace(/^\uFEFF/, ''));
  const names = header.map((name) => name.trim().toLowerCase());
  const unknown = names.filter((name) => !(fileColumns as readonly string[]).includes(name));
  if (!names.includes('kind') || !names.includes('free_days'))
    return {
      problem: `The first line must name the columns kind and free_days. Known columns: ${listed(fileColumns)}.`,
    };
  if (unknown.length > 0)
    return {
      problem: `Unknown ${unknown.length === 1 ? 'column' : 'columns'}: ${listed(unknown.slice(0, maxNamed))}. Known columns: ${listed(fileColumns)}.`,
    };
  if (lines.length === 0) return { problem: 'The file has a header and no rows.' };
  if (lines.length > maxTerms)
    return {
      problem: `The file has ${lines.length.toLocaleString('en')} rows. At most ${maxTerms.toLocaleString('en')} are allowed.`,
    };
  const problems = lines.flatMap((cells, index) => {
    const problem = rowProblem(names, cells);
    return problem === null ? [] : [`Row ${index + 1}: ${problem}`];
  });
  if (problems.length > 0) {
    const more = problems.length - maxNamed;
    return { problem: [...problems.slice(0, maxNamed), ...(more > 0 ? [`${more} more rows.`] : [])].join(' ') };
  }
  return { terms: lines.map((cells) => termFrom((name) => cells[names.indexOf(name)]?.trim() ?? '')) };
}

/** Values that the fields of the form can't show: they are choices. */
const choices: Partial<Record<FileColumn, readonly string[]>> = {
  kind: clockKinds,
  equipment: equipmentGroups,
  start_event: clockStarts,
  first_day: ['same_day', 'next_day'],
  counting: ['calendar', 'working'],
  charged_days: ['calendar', 'working'],
};

function rowProblem(names: readonly string[], cells: readonly string[]): string | null {
  if (cells.length > names.length) return `it has ${cells.length} cells, and the header has ${names.length}.`;
  for (const [at, name] of names.entries()) {
    const cell = cells[at]?.trim() ?? '';
    const allowed = choices[name as FileColumn];
    if (allowed !== undefined && cell !== '' && !allowed.includes(cell.toLowerCase()))
      return `${name} is ${cell.slice(0, 40)}, and must be ${listed(allowed, 'or')}.`;
    if (name === 'kind' && cell === '') return `kind is empty, and must be ${listed(clockKinds, 'or')}.`;
    if (name === 'rates' && cell !== '' && ratesFrom(cell) === null)
      return `rates is ${cell.slice(0, 40)}, and must be steps such as 1:85;6:140.`;
    if (name === 'free_days' && !/^\d*$/.test(cell)) return `free_days is ${cell.slice(0, 40)}, and must be a number.`;
  }
  return null;
}

function termFrom(cell: (name: FileColumn) => string): TermDraft {
  const term = newTerm();
  const kind = cell('kind').toLowerCase() as TermDraft['kind'];
  const choice = <Value extends string>(name: FileColumn, absent: Value) =>
    (cell(name).toLowerCase() || absent) as Value;
  return {
    ...term,
    kind,
    carrier: cell('carrier'),
    place: cell('place'),
    country: cell('country'),
    equipment: choice('equipment', term.equipment),
    freeDays: cell('free_days'),
    startEvent: choice('start_event', kind === 'detention' ? 'gate_out_full' : term.startEvent),
    firstDay: choice('first_day', term.firstDay),
    counting: choice('counting', term.counting),
    chargedDays: choice('charged_days', term.chargedDays),
    calendarCountry: cell('calendar_country'),
    rates: ratesFrom(cell('rates')) ?? [],
    currency: cell('currency'),
    validFrom: cell('valid_from'),
    validTo: cell('valid_to'),
  };
}

function ratesFrom(text: string): RateDraft[] | null {
  if (text === '') return [];
  const steps = text.split(';').map((step) => /^\s*(\d+)\s*:\s*(\d+(?:\.\d+)?)\s*$/.exec(step));
  if (steps.includes(null)) return null;
  return steps.map((step) => ({ key: nextKey(), fromDay: step?.[1] ?? '', amount: step?.[2] ?? '' }));
}

/** The rows as a file that can be imported again. */
export function termsFile(terms: readonly TermDraft[]): string {
  const lines = terms.map((draft) => {
    const term = termOf(draft);
    return fileColumns.map((name) =>
      csvCell(
        name === 'rates' ? draft.rates.map(({ fromDay, amount }) => `${fromDay}:${amount}`).join(';') : term[name],
      ),
    );
  });
  return [fileColumns, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function csvCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  // A spreadsheet would run the text as a formula.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The cells of each line that is not empty. The header decides between commas, semicolons and tabs. */
function readCsv(text: string): string[][] {
  const [head = ''] = text.split(/\r?\n/, 1);
  const separator = [',', ';', '\t'].toSorted((one, other) => head.split(other).length - head.split(one).length)[0];
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    cells.push(cell);
    cell = '';
  };
  const endLine = () => {
    endCell();
    if (cells.some((one) => one.trim() !== '')) lines.push(cells);
    cells = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === separator) endCell();
    else if (char === '\n') endLine();
    else if (char !== '\r') cell += char;
  }
  if (cell !== '' || cells.length > 0) endLine();
  return lines;
}

function listed(names: readonly string[], last = 'and'): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}
