import { toWireTerm } from '#shared/contract/free-time/terms-body.ts';
import { readTermsTable, termRowsCsv } from '#shared/contract/free-time/terms-csv.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { draftOf, type TermDraft, termOf } from './term-draft.ts';

const maxNamed = 5;

/** The rows of a CSV file for the table, by the rules of the API, or why it can't be read. */
export function readTermsFile(text: string): { terms: TermDraft[] } | { problem: string } {
  const [header, ...rows] = readCsv(text.replace(/^\uFEFF/, ''));
  if (header === undefined || rows.length === 0) return { problem: 'The file has no rows below its header.' };
  try {
    const terms = runThrough(readTermsTable({ names: header.cells, rows }));
    return { terms: terms.map((term) => draftOf(toWireTerm(term))) };
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    const details = error.mistakes.length === 0 ? [error.message] : error.mistakes.map(({ detail }) => detail);
    const more = details.length - maxNamed;
    return { problem: [...details.slice(0, maxNamed), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ') };
  }
}

/** The rows as a file that can be imported again. */
export function termsFile(terms: readonly TermDraft[]): string {
  return termRowsCsv(terms.map(termOf));
}

function runThrough(steps: Generator<void, FreeTimeTerm[]>): FreeTimeTerm[] {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

type Line = { line: number; cells: string[]; problem: null };

/** The cells of each line that is not empty. The header decides between commas, semicolons and tabs. */
function readCsv(text: string): Line[] {
  const [head = ''] = text.split(/\r?\n/, 1);
  const separator = [',', ';', '\t'].toSorted((one, other) => head.split(other).length - head.split(one).length)[0];
  const lines: Line[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let [line, startedAt] = [1, 1];
  const endCell = () => {
    cells.push(cell);
    cell = '';
  };
  const endLine = () => {
    endCell();
    if (cells.some((one) => one.trim() !== '')) lines.push({ line: startedAt, cells, problem: null });
    cells = [];
    startedAt = line;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\n') line += 1;
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
