import { LandfallError } from '#shared/domain/errors.ts';
import type { Import, ImportOptions, RawRow, RowProblem } from '#shared/domain/imports/import.ts';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import { readJson } from '../read-json.ts';
import { parseRegisterShipmentBody } from '../registration/register-shipment-body.ts';
import { type ImportColumn, readImportColumns } from './import-columns.ts';
import { maxRowBytes, splitCells } from './import-rows.ts';

type Defaults = Pick<ImportOptions, 'carrier' | 'transportMode'>;

const problemTexts: Record<RowProblem, string> = {
  too_long: `The row exceeds ${maxRowBytes / 1024} KiB.`,
  open_quote: 'A quote in the row is never closed.',
  invalid_utf8: 'The row is not valid UTF-8.',
};

/** The error of a row that can't be read. */
function unreadableRow(problem: RowProblem): LandfallError {
  return rowRefusal(problem, problemTexts[problem]);
}

/** The registration of a CSV row, or its error. Empty cells are ignored. */
function readCsvRow(
  text: string,
  columns: readonly ImportColumn[],
  options: Defaults & { delimiter: string },
): SentRegistration | LandfallError {
  const cells = splitCells(text, options.delimiter);
  if (cells === null)
    return rowRefusal(
      'invalid_quotes',
      'A quoted cell continues after its closing quote. Double the quotes inside a cell.',
    );
  if (cells.length !== columns.length) {
    return rowRefusal('wrong_length', `The row has ${cells.length} cells but the header has ${columns.length}.`);
  }
  const body: Record<string, unknown> = {};
  const identifiers: Record<string, string> = {};
  const metadata: Record<string, string> = {};
  for (const [index, column] of columns.entries()) {
    const cell = withoutGuard(cells[index] ?? '').trim();
    if (cell === '' || column.kind === 'ignored') continue;
    if (column.kind === 'identifier') identifiers[column.name] = cell;
    else if (column.kind === 'metadata') metadata[column.name] = cell;
    else body[column.name] = readField(column.name, cell);
  }
  return parseRegisterShipmentBody(
    withDefaults({ ...body, identifiers, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }, options),
  );
}

/** The registration of an NDJSON row, or its error. */
function readNdjsonRow(text: string, options: Defaults): SentRegistration | LandfallError {
  const read = readJson(text);
  if ('value' in read) return parseRegisterShipmentBody(withDefaults(read.value, options));
  const detail =
    read.problem === 'not_json'
      ? 'The row is not valid JSON. Each line must be one JSON object.'
      : 'The row contains the key __proto__, which is not allowed.';
  return rowRefusal('invalid_json', detail, 'invalid_json');
}

function withDefaults(body: unknown, { carrier, transportMode }: Defaults): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return {
    ...(carrier === null ? {} : { carrier }),
    ...(transportMode === null ? {} : { transport_mode: transportMode }),
    ...body,
  };
}

function readField(name: string, cell: string): unknown {
  if (name === 'tags')
    return cell
      .split('|')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
  return name === 'transport_mode' || name === 'service_type' ? cell.toLowerCase() : cell;
}

/** Removes the apostrophe that the file of failed rows puts before a cell that a spreadsheet would run as a formula. */
function withoutGuard(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

function rowRefusal(
  code: string,
  detail: string,
  errorCode: 'validation_failed' | 'invalid_json' = 'validation_failed',
): LandfallError {
  return new LandfallError(errorCode, detail, { mistakes: [{ pointer: '', code, detail }] });
}

/** Parses the stored rows of an import: a registration or an error for each. */
export function readImportRows(found: Import, rows: readonly RawRow[]): (SentRegistration | LandfallError)[] {
  const { options } = found;
  const defaults = { carrier: options.carrier, transportMode: options.transportMode };
  const delimiter = options.delimiter ?? ',';
  const columns = found.format === 'csv' ? readImportColumns(options.columns) : [];
  return rows.map(({ text, problem }) => {
    if (problem !== null) return unreadableRow(problem);
    return found.format === 'csv'
      ? readCsvRow(text, columns, { ...defaults, delimiter })
      : readNdjsonRow(text, defaults);
  });
}
