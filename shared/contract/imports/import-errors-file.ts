import type { Import, ImportError } from '#shared/domain/imports/import.ts';
import { errorColumns, readImportColumns } from './import-columns.ts';
import { splitCells } from './import-rows.ts';

/** The file of an import's failed rows, in the format of the import: its first line, and one for each row. */
export type ErrorsFile = { mediaType: string; name: string; head: string; line: (error: ImportError) => string };

/** `name` is the public id of the import. */
export function errorsFile(found: Import, name: string): ErrorsFile {
  return found.format === 'csv' ? csvFile(found, name) : ndjsonFile(name);
}

function csvFile(found: Import, name: string): ErrorsFile {
  const delimiter = found.options.delimiter ?? ',';
  const { columns } = found.options;
  const kept = readImportColumns(columns).flatMap((column, index) => (column.kind === 'ignored' ? [] : [index]));
  const line = (cells: readonly string[]) => `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`;
  return {
    mediaType: 'text/csv; charset=utf-8',
    name: `${name}-errors.csv`,
    head: line([...kept.map((index) => columns[index] ?? ''), ...errorColumns]),
    line: (error) => {
      const cells = splitCells(error.raw, delimiter);
      // A row that can't be split into cells is shown whole, in the first column.
      const shown =
        cells !== null && cells.length === columns.length
          ? kept.map((index) => cells[index] ?? '')
          : kept.map((_column, place) => (place === 0 ? error.raw : ''));
      return line([...shown, String(error.rowNumber), error.code, error.detail]);
    },
  };
}

/** One object per line: the row as sent (`shipment`, or `raw` if it is not JSON) and its error. */
function ndjsonFile(name: string): ErrorsFile {
  return {
    mediaType: 'application/x-ndjson; charset=utf-8',
    name: `${name}-errors.ndjson`,
    head: '',
    line: (error) => {
      const { rowNumber, raw, code, detail, mistakes } = error;
      const row = { row: rowNumber, error_code: code, error_detail: detail, errors: mistakes, ...sent(raw) };
      return `${JSON.stringify(row)}\n`;
    },
  };
}

function sent(raw: string): { shipment: unknown } | { raw: string } {
  try {
    return { shipment: JSON.parse(raw) };
  } catch {
    return { raw };
  }
}

/** An apostrophe keeps spreadsheets from running untrusted text as a formula. */
function csvCell(cell: string, delimiter: string): string {
  const guarded = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return guarded.includes(delimiter) || /["\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
