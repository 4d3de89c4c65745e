import { LandfallError } from '#shared/domain/errors.ts';
import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { nearestName } from '#shared/domain/nearest.ts';
import type { CsvTable } from '#shared/domain/registration/import.ts';
import { refusal } from '../input/input-mistakes.ts';
import { csvCell } from '../lists/export-rows.ts';
import {
  type FreeTimeTermRow,
  freeTimeTermRow,
  maxTermMistakes,
  maxTerms,
  readTermRows,
  toWireTerm,
} from './terms-body.ts';

/** The columns of terms as CSV. `rates` holds steps: `1:85;6:140`. */
export const termColumns = Object.keys(freeTimeTermRow.shape) as (keyof FreeTimeTermRow)[];

/**
 * Reads terms sent as CSV, yielding after each row. An empty cell is an absent field. Throws LandfallError
 * `validation_failed` with the mistakes of all rows, each with its line.
 */
export function* readTermsTable({ names, rows }: CsvTable): Generator<void, FreeTimeTerm[]> {
  const columns = names.map((name) => name.trim().toLowerCase());
  refuseColumns(columns);
  if (rows.length > maxTerms)
    throw new LandfallError('validation_failed', `The file must have at most ${maxTerms} rows.`);
  const unreadable = rows.flatMap(({ line, cells, problem }, index) => {
    const detail =
      problem !== null
        ? `Line ${line} can't be read: ${problem}.`
        : cells.length > columns.length
          ? `Line ${line} has ${cells.length} cells, and the header has ${columns.length}.`
          : null;
    return detail === null ? [] : [{ pointer: `/terms/${index}`, code: 'invalid_value', detail }];
  });
  if (unreadable.length > 0) throw refusal(unreadable.slice(0, maxTermMistakes));
  const sent = rows.map(({ cells }) => toRow(columns, cells));
  return yield* readTermRows(sent, (index) => `Line ${rows[index]?.line}: `);
}

function refuseColumns(columns: readonly string[]): void {
  const known: readonly string[] = termColumns;
  // There are fewer columns than this, so a longer header has a mistake among its first names.
  const mistakes = columns.slice(0, 40).flatMap((name, index) => {
    if (!known.includes(name)) {
      const nearest = nearestName(name, known);
      const hint = nearest === null ? `Allowed: ${known.join(', ')}.` : `Did you mean ${nearest}?`;
      return [{ pointer: '', code: 'unknown_field', detail: `Unknown column: ${name.slice(0, 64)}. ${hint}` }];
    }
    if (columns.indexOf(name) < index)
      return [{ pointer: '', code: 'invalid_value', detail: `The header names ${name} twice.` }];
    return [];
  });
  const missing = ['kind', 'free_days'].filter((name) => !columns.includes(name));
  if (missing.length > 0)
    mistakes.push({ pointer: '', code: 'required', detail: `The header must name ${missing.join(' and ')}.` });
  if (mistakes.length > 0) throw refusal(mistakes.slice(0, maxTermMistakes));
}

function toRow(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.flatMap((name, index) => {
      const cell = cells[index]?.trim() ?? '';
      if (cell === '') return [];
      if (name === 'free_days') return [[name, numberOf(cell)]];
      return [[name, name === 'rates' ? ratesOf(cell) : cell]];
    }),
  );
}

/** A text that is no number stays, so that the schema refuses it. */
function numberOf(cell: string): number | string {
  return /^\d{1,12}(\.\d{1,6})?$/.test(cell) ? Number(cell) : cell;
}

function ratesOf(cell: string): unknown {
  return cell.split(';').map((step) => {
    const [from = '', amount = '', ...rest] = step.split(':').map((part) => part.trim());
    return rest.length > 0 ? step : { from_day: numberOf(from), amount: numberOf(amount) };
  });
}

/** Terms as CSV, which can be sent back. */
export function termsCsv(terms: readonly FreeTimeTerm[]): string {
  return termRowsCsv(terms.map(toWireTerm));
}

/** The same of rows on the wire, also of some that are not complete yet. */
export function termRowsCsv(rows: readonly WrittenTerm[]): string {
  const lines = rows.map((row) =>
    termColumns.map((name) => csvCell(name === 'rates' ? stepsText(row.rates) : row[name])).join(','),
  );
  return [termColumns.join(','), ...lines].map((line) => `${line}\r\n`).join('');
}

type WrittenTerm = { [name in Exclude<keyof FreeTimeTermRow, 'rates'>]: unknown } & {
  rates: readonly { from_day: unknown; amount: unknown }[];
};

function stepsText(rates: WrittenTerm['rates']): string {
  return rates.map(({ from_day, amount }) => `${from_day}:${amount}`).join(';');
}
